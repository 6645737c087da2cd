"""The clauses of Il Principe in our words, and every reason why a step can be refused."""

from signoria.games.il_principe.rulebook import reasons
from signoria.kernel.game import Clause, Reason

CLAUSES = (
    Clause("I1", "Two to five families play: Medici, Carraresi, Visconti, Gonzaga and D'Este. Each begins with 12 crests, 5 ducats and no points."),
    Clause("I2", "Shuffle the 100 building cards, 20 of each colour, and the 15 city cards into two piles. Turn up four city cards. Colours have one order everywhere: green (university), white (cathedral), red (town hall), blue (castle), yellow (market)."),
    Clause("I3", "Who is Il Principe first is drawn by lot.", ruling="The bank never runs out."),
    Clause("I4", "With two players all minor roles, seven building cards of each colour and five city cards, unseen, stay in the box.", title="two players"),
    Clause("I5", "Begin with 10 ducats, take 6 every round, and found cities from the first round on.", title="variant"),
    Clause("I10", "Everyone draws 4 building cards and takes 5 ducats; with two players 5 cards and 6 ducats. Ducats are kept hidden.", title="income"),
    Clause("I11", "Everyone lays 2 cards of their hand face down, all at the same time; with two players 3. Cards of earlier rounds may be among them. A hand may be of any size.", title="offer"),
    Clause("I12", "Turn up all cards that were laid and sort them by colour. Each colour is a lot. The smallest lot is auctioned first; lots of the same size go in the order of colours.", title="lots"),
    Clause("I13", "Il Principe speaks first, then the others clockwise. Bid more than the last bid, at least 1 and at most the ducats you have, or pass and be out of this auction. It ends when all but the highest bidder have passed. If nobody has bid yet, the last one left still may.", title="auction"),
    Clause("I14", "The winner pays the bank, takes the cards into hand and becomes Il Principe; and may found one city at once, though not in the first round."),
    Clause("I15", "If everybody passes without a bid, the cards leave the game."),
    Clause("I16", "From Il Principe clockwise everyone either founds one city, though not in the first round, or plays any number of cards of one colour face up in front of them.", title="phase 3", ruling="You may also pass."),
    Clause("I17", "To found a city choose one that lies face up, lay exactly the building cards it asks for from your hand face up in front of you and pay its ducats. Take its points and put as many crests as it shows on regions that touch it, spread as you like; if you run out of crests, place those you have.", title="found"),
    Clause("I18", "Then everyone but the founder scores for the roles they hold in a colour that was used: 2 for a major role, 1 for a minor one, once a colour."),
    Clause("I19", "The city card leaves the game and the next one is turned up, while the pile lasts."),
    Clause("I20", "In phase 4 all roles are handed back and given out anew, colour by colour."),
    Clause("I21", "Whoever has most buildings of the colour face up takes the major role and turns half of them, rounded up, face down. Second most takes the minor role and turns none.", ruling="At least one face-up building is needed for either."),
    Clause("I22", "If several have second most, the minor role is auctioned among them. If several have most, the major role is auctioned among them and the minor one stays out. The auction goes like that of a lot; the winner becomes Il Principe and founds no city. If all pass, the role stays out.", ruling="A major role that was won in an auction turns buildings down as well."),
    Clause("I23", "Whoever takes a role does its ability at once, the major before the minor: green turns up one of their face-down buildings that is not green, white takes a point, red draws a building card, blue puts a crest on any region, yellow takes 2 ducats. What is not possible is left out."),
    Clause("I30", "If fewer than four city cards lie face up at the end of phase 1, the game ends at once."),
    Clause("I31", "If the pile holds fewer than 12, 16 or 20 cards, with three, four or five players, when phase 1 begins, this is the last round. Phase 1 then brings ducats only, and phase 2 auctions 6, 8 or 10 cards straight from the pile; if there are fewer, the game ends at once. Phases 3 and 4 go as always."),
    Clause("I32", "With two players the last round begins with fewer than 10 cards, and all that are left are auctioned.", title="two players", ruling="Whether four cities lie face up (I30) counts in a last round too."),
    Clause("I40", "At the end each region gives 5 points for most crests and 2 for second most, to each who is tied there. If several have most, each takes 5 and nobody the 2. Without a crest there are no points."),
    Clause("I41", "Every major role held at the end is worth 2 points, every minor role 1."),
    Clause("I42", "Every set of five buildings of different colours in play, face up or down, is worth 2 points."),
    Clause("I43", "Most ducats are worth 2 points, and so are most building cards in hand; all who are tied score."),
    Clause("I44", "Most points win. If tied: most buildings in play; then whoever holds the first major role in the order of colours.", ruling="If still tied, they share the victory."),
)  # fmt: skip

RULINGS = (
    Clause("I11", "A step can be taken back until cards were drawn or turned up, another player has acted, or an auction ended and showed whether its winner can pay a city. What was shown and taken back counts as never shown, for views and for memory.", title="undo"),
    Clause("I14", "Whoever is asked to found a city can pay one, and what programs imagine of that hand agrees with it. That somebody was asked, or not asked, earlier in the game is not kept in memory.", title="memory"),
    Clause("I30", "Cards that were laid face down when the game ends at once count as in nobody's hand. Everybody has laid as many, so it decides nothing.", title="the end"),
)  # fmt: skip

REASONS: dict[int, Reason] = {
    reasons.LEGAL: Reason("", "This can be done."),
    reasons.GAME_OVER: Reason("I30", "The game is over."),
    reasons.OFFER_NOT_ASKED: Reason("I11", "Cards are laid face down in phase 1; now you are asked to {asked}."),
    reasons.OFFER_WITHOUT_A_CARD: Reason("I11", "You have no {what} card in your hand."),
    reasons.BID_NOT_ASKED: Reason("I13", "Bids are made in auctions; now you are asked to {asked}."),
    reasons.BID_TOO_LOW: Reason("I13", "{what} is too low: the last bid is {bid}."),
    reasons.BID_MORE_THAN_YOU_HAVE: Reason("I13", "{what} is more than the {ducats} you have."),
    reasons.PASS_NOT_ASKED: Reason("I16", "Passing is for auctions and for phase 3; now you are asked to {asked}."),
    reasons.FOUND_NOT_ASKED: Reason("I16", "A city is founded after winning a lot or in phase 3; now you are asked to {asked}."),
    reasons.FOUND_IN_THE_FIRST_ROUND: Reason("I16", "No city is founded in the first round."),
    reasons.FOUND_WHAT_IS_NOT_FACE_UP: Reason("I17", "{what} does not lie face up; face up: {display}."),
    reasons.DUCATS_MISSING: Reason("I17", "{what} costs {cost} ducats and you have {ducats}."),
    reasons.CARDS_MISSING: Reason("I17", "{what} asks for building cards that are not in your hand: {missing} more."),
    reasons.DECLINE_NOT_ASKED: Reason("I14", "There is no founding to decline; now you are asked to {asked}."),
    reasons.PLAY_NOT_ASKED: Reason("I16", "Buildings are played in phase 3; now you are asked to {asked}."),
    reasons.PLAY_MORE_THAN_YOU_HAVE: Reason("I16", "You have {have} {what} in your hand."),
    reasons.CREST_NOT_ASKED: Reason("I17", "No crest is to be placed; now you are asked to {asked}."),
    reasons.CREST_WHERE_NOTHING_TOUCHES: Reason("I17", "{what} does not touch {city}; its crests go to {regions}."),
    reasons.TURN_NOT_ASKED: Reason("I23", "Buildings are turned up for the green roles; now you are asked to {asked}."),
    reasons.TURN_GREEN: Reason("I23", "The green roles turn up any building but a green one."),
    reasons.TURN_WITHOUT_A_CARD: Reason("I23", "You have no {what} building face down."),
}  # fmt: skip
