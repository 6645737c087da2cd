"""The clauses of Il Principe in our words, and every reason why a step can be refused."""

from signoria.games.il_principe.rulebook import reasons
from signoria.kernel.clauses import Clause, Reason
from signoria.kernel.language import to_say

CLAUSES = (
    Clause("I1", to_say("The game is for two to five players. Each leads a family: Medici, Carraresi, Visconti, Gonzaga or D'Este. Each starts with 12 crests, 5 ducats and no points.")),
    Clause("I2", to_say("Shuffle the 100 building cards (20 of each colour) and the 15 city cards into two piles. Turn four city cards face up. The order of colours is always green (university), white (cathedral), red (town hall), blue (castle), yellow (market).")),
    Clause("I3", to_say("The first Il Principe is chosen at random."), ruling=to_say("The bank never runs out of ducats.")),
    Clause("I4", to_say("With two players, remove all minor roles, seven building cards of each colour and, unseen, five city cards."), title=to_say("two players")),
    Clause("I5", to_say("Start with 10 ducats, take 6 each round, and found cities from the first round on."), title=to_say("variant")),
    Clause("I10", to_say("Everyone draws 4 building cards and takes 5 ducats. With two players it is 5 cards and 6 ducats. Players keep their ducats hidden."), title=to_say("income")),
    Clause("I11", to_say("All players lay 2 cards from their hand face down at the same time, or 3 with two players. They may be cards from earlier rounds. There is no hand limit."), title=to_say("offer")),
    Clause("I12", to_say("Turn these cards face up and sort them by colour. Each colour is a lot. The smallest lot is auctioned first. Lots of the same size are auctioned in the order of colours."), title=to_say("lots")),
    Clause("I13", to_say("Il Principe bids first, then the others clockwise. Bid more than the last bid (at least 1 and at most the ducats you have), or pass. If you pass, you are out of this auction. It ends when everyone except the highest bidder has passed. If all others pass without a bid, the last player may still bid."), title=to_say("auction")),
    Clause("I14", to_say("The winner pays the bank, takes the cards into their hand and becomes Il Principe. The winner may then found one city immediately, but not in the first round.")),
    Clause("I15", to_say("If everyone passes, the cards are removed from the game.")),
    Clause("I16", to_say("Starting with Il Principe and going clockwise, each player either founds one city (not in the first round) or plays any number of cards of one colour face up in front of them."), title=to_say("phase 3"), ruling=to_say("You may also pass.")),
    Clause("I17", to_say("To found a city, choose a face-up city card. Lay exactly the building cards it requires from your hand face up in front of you, and pay its ducats. Score its points. Then place as many crests as it shows on regions that touch it, in any combination. If you have too few crests, place the ones you have."), title=to_say("found")),
    Clause("I18", to_say("Then all other players score for their roles in the colours used: 2 points for a major role and 1 for a minor role, once per colour.")),
    Clause("I19", to_say("Remove the city card from the game and turn up the next one, if any are left.")),
    Clause("I20", to_say("In phase 4 all roles are returned and assigned again, colour by colour.")),
    Clause("I21", to_say("The player with the most face-up buildings of the colour takes the major role and turns half of those buildings, rounded up, face down. The player with the second most takes the minor role and turns none."), ruling=to_say("You need at least one face-up building to take either role.")),
    Clause("I22", to_say("If players are tied for the second most, the minor role is auctioned among them. If players are tied for the most, the major role is auctioned among them and nobody takes the minor role. The auction works like the auction of a lot. The winner becomes Il Principe but cannot found a city. If all pass, nobody takes the role."), ruling=to_say("The winner of a major role in an auction also turns half of the buildings face down.")),
    Clause("I23", to_say("When you take a role, you use its ability immediately, the major role before the minor. Green: turn one of your face-down buildings face up, except a green one. White: score 1 point. Red: draw a building card. Blue: place a crest on any region. Yellow: take 2 ducats. If the ability is not possible, skip it.")),
    Clause("I30", to_say("If there are fewer than four face-up city cards at the end of phase 1, the game ends immediately, without a last round.")),
    Clause("I31", to_say("If the pile has fewer than 12, 16 or 20 cards (with three, four or five players) at the start of phase 1, this is the last round. In phase 1 players only take ducats. In phase 2, 6, 8 or 10 cards from the pile are auctioned. If the pile has fewer cards than that, the game ends immediately. Phases 3 and 4 are played as usual.")),
    Clause("I32", to_say("With two players, the last round starts when the pile has fewer than 10 cards, and all of them are auctioned."), title=to_say("two players"), ruling=to_say("I30 also applies in the last round.")),
    Clause("I40", to_say("At the end of the game, each region gives 5 points for the most crests and 2 points for the second most. If players are tied for the second most, each scores 2. If players are tied for the most, each scores 5 and nobody scores 2. You need at least one crest in the region to score.")),
    Clause("I41", to_say("At the end of the game, each major role you hold is worth 2 points and each minor role 1.")),
    Clause("I42", to_say("Each set of five buildings of different colours in front of you, face up or face down, is worth 2 points.")),
    Clause("I43", to_say("The player with the most ducats scores 2 points, and so does the player with the most building cards in hand. All tied players score.")),
    Clause("I44", to_say("The player with the most points wins. Tiebreak: most buildings in play, then the first major role in the order of colours."), ruling=to_say("If still tied, the players share the win.")),
)  # fmt: skip

REASONS: dict[int, Reason] = {
    reasons.LEGAL: Reason("", to_say("This move is legal.")),
    reasons.GAME_OVER: Reason("I30", to_say("The game is over.")),
    reasons.OFFER_NOT_ASKED: Reason("I11", to_say("You lay cards face down in phase 1. Now you have to {asked}.")),
    reasons.OFFER_WITHOUT_A_CARD: Reason("I11", to_say("You have no {what} card in your hand.")),
    reasons.BID_NOT_ASKED: Reason("I13", to_say("You can bid only in an auction. Now you have to {asked}.")),
    reasons.BID_TOO_LOW: Reason("I13", to_say("{what} is too low. The current bid is {bid}.")),
    reasons.BID_MORE_THAN_YOU_HAVE: Reason("I13", to_say("You cannot bid {what}: you have {ducats}.")),
    reasons.PASS_NOT_ASKED: Reason("I16", to_say("You can pass only in an auction or in phase 3. Now you have to {asked}.")),
    reasons.FOUND_NOT_ASKED: Reason("I16", to_say("You can found a city only after winning a lot or in phase 3. Now you have to {asked}.")),
    reasons.FOUND_IN_THE_FIRST_ROUND: Reason("I16", to_say("You cannot found a city in the first round.")),
    reasons.FOUND_WHAT_IS_NOT_FACE_UP: Reason("I17", to_say("{what} is not face up. The face-up cities are {display}.")),
    reasons.DUCATS_MISSING: Reason("I17", to_say("{what} costs {cost} ducats, but you have {ducats}.")),
    reasons.CARDS_MISSING: Reason("I17", to_say("For {what} you need more building cards in your hand: {missing}.")),
    reasons.DECLINE_NOT_ASKED: Reason("I14", to_say("You are not asked to found a city. Now you have to {asked}.")),
    reasons.PLAY_NOT_ASKED: Reason("I16", to_say("You play buildings in phase 3. Now you have to {asked}.")),
    reasons.PLAY_MORE_THAN_YOU_HAVE: Reason("I16", to_say("You have only {have} {what} in your hand.")),
    reasons.CREST_NOT_ASKED: Reason("I17", to_say("You cannot place a crest now. Now you have to {asked}.")),
    reasons.CREST_WHERE_NOTHING_TOUCHES: Reason("I17", to_say("{what} does not touch {city}. Its crests can go on {regions}.")),
    reasons.TURN_NOT_ASKED: Reason("I23", to_say("You can turn a building face up only for a green role. Now you have to {asked}.")),
    reasons.TURN_GREEN: Reason("I23", to_say("A green role cannot turn up a green building.")),
    reasons.TURN_WITHOUT_A_CARD: Reason("I23", to_say("You have no face-down {what} building.")),
}  # fmt: skip
