"""The clauses of Patrician in our words, and every reason why a step can be refused."""

from signoria.games.patrician.rulebook import reasons
from signoria.kernel.clauses import Clause, Reason

CLAUSES = (
    Clause("P1", "The game is for two to five players. With fewer than five, Pistoia is not used: not its seven cards, its two prestige tokens or its place on the board."),
    Clause("P2", "Each city has two building sites and two prestige tokens, a high one and a low one."),
    Clause("P3", "Shuffle the cards with a star and deal three to each player. Shuffle the remaining star cards into all other cards to form the pile. Then lay one card from the pile face up next to each city. A card may lie at a different city from the one it shows."),
    Clause("P4", "Each player has 39 floors with two players, 29 with three, and 21 with four or five. They never run out."),
    Clause("P5", "Two players use black and white. Three players use black, white and red. Four or five players use any of black, white, red, yellow and blue."),
    Clause("P6", "The first player is chosen at random. Turns go clockwise."),
    Clause("P10", "Start your turn by playing a card from your hand face up onto your own stack. Opponents see only the top card of your stack. You may look through it at any time.", title="play"),
    Clause("P11", "For each crest on the card, build one of your floors in the card's city. Choose either site and put the floor on top of the tower there. With two crests you may build both floors on one site or one on each.", title="build"),
    Clause("P12", "If one site of a city is still empty when its last floor is built, that floor must go there. So every city ends up with two towers.", title="both towers"),
    Clause("P13", "As soon as a city has all its floors, it is scored. Then the turn continues.", title="scoring"),
    Clause("P14", "A card with the move symbol lets you move the top floor of a tower, of any colour, to the other site of the same city. You must own a floor in that city. You cannot do this in the city where you built this turn or in a scored city. Moving is optional.", title="move", ruling="A move may empty a site."),
    Clause("P15", 'Take the face-up card at the city where you built. If your card shows "?" or there is no card at that city, you may take any face-up card. If there are no face-up cards left, skip this.', title="take", ruling="Taking is not optional."),
    Clause("P16", "Replace the card you took with the next card from the pile. If the pile is empty, the place stays empty.", title="replace"),
    Clause("P17", "The game ends when all hands are empty. By then every player has played the same number of cards: 24, 16, 12 or 11 with two, three, four or five players.", title="end"),
    Clause("P20", "When a city is scored, the player with the most floors in its taller tower takes the high token. The player with the most floors in the other tower takes the low token. One player may take both. The number of floors is odd, so one tower is always taller."),
    Clause("P21", "If players are tied for the most floors in a tower, the tied player whose floor is nearest the top wins it."),
    Clause("P22", "At the end of the game, every three equal portraits on the cards you played are worth 6 points. A card with two portraits counts as two."),
    Clause("P23", "The player with the most points from tokens and portraits wins. Tiebreak: fewest floors on the board. If still tied, the players share the win."),
    Clause("P24", "Tokens that players have won lie face up or face down, depending on the table's options. This only changes what opponents can see.", title="option"),
    Clause("M1", "Each player has two messengers with two or three players, and one messenger with four or five."),
    Clause("M2", "If the card you played has a star, you may place one of your messengers at the end of your turn, on the road between two neighbouring cities: Roma-Siena, Siena-Lucca, Siena-Bologna, Lucca-Milano, Lucca-Ferrara, Milano-Parma, Parma-Verona, Verona-Ferrara, Ferrara-Bologna or Bologna-Firenze. With five players there are also Roma-Pistoia and Pistoia-Firenze."),
    Clause("M3", "You cannot place a messenger next to the city where you built this turn. A road holds at most one messenger, and a city has at most two next to it."),
    Clause("M4", "A messenger has no effect on a city that is already scored."),
    Clause("M5", "When a city is scored, the winner of each tower takes an extra 2-point token for each messenger next to the city."),
    Clause("M6", "At the end of the game, the player who won the fewest towers in cities scored with a messenger loses 3 points. Tiebreak: fewest floors in those cities. If still tied, nobody loses points.", ruling="A city does not count if its messenger came after it was scored."),
    Clause("A1", "At the end of the game, ambassador A goes to the player with the most 6-point tokens, B to the most 4-point tokens, and C to the most 2-point tokens. Each counts as one extra portrait of the kind that is worth the most to its holder."),
    Clause("A2", "If players are tied for A, B or C, the ambassador goes to the tied player who holds the leftmost token pictured on it: Firenze's 6 for A, Milano's 4 for B, Verona's 2 for C."),
    Clause("A3", "Ambassador D goes to the player with the most token points in Verona, Parma and Milano. It counts as one extra portrait of each kind. Tiebreak: most points in Verona.", ruling="Further tiebreaks: most points in Parma, then in Milano."),
    Clause("A4", "Extra tokens from messengers do not count for the ambassadors."),
)  # fmt: skip

RULINGS = (
    Clause("P10", "You can undo a move until it turns up a card from the pile or another player moves. A card that you played and took back counts as never shown, also in the card tracker.", title="undo"),
    Clause("A1", "During the game nobody has an ambassador if no player has won such a token yet, or if none of the tied players holds a token that breaks the tie.", title="during the game"),
)  # fmt: skip

REASONS: dict[int, Reason] = {
    reasons.LEGAL: Reason("", "This move is legal."),
    reasons.GAME_OVER: Reason("P17", "The game is over."),
    reasons.OUT_OF_PLAY: Reason("P1", "{what} is used only with five players."),
    reasons.PLAY_NOT_ASKED: Reason("P10", "You play a card at the start of your turn. Now you have to {asked}."),
    reasons.CARD_NOT_IN_HAND: Reason("P10", "{what} is not in your hand."),
    reasons.BUILD_NOT_ASKED: Reason("P11", "You build right after playing a card. Now you have to {asked}."),
    reasons.BUILD_ON_THE_EMPTY_SITE: Reason("P12", "This is the last floor of {city}. It must go on the other site, which is still empty."),
    reasons.MOVE_NOT_ASKED: Reason("P14", "You can move a floor only after building with a card that shows the move symbol. Now you have to {asked}."),
    reasons.MOVE_WHERE_YOU_BUILT: Reason("P14", "You built in {what} this turn. Move a floor in another city."),
    reasons.MOVE_IN_A_SCORED_CITY: Reason("P14", "{what} is already scored, so its towers cannot change."),
    reasons.MOVE_WITHOUT_A_FLOOR: Reason("P14", "You have no floor in {what}, so you cannot move one there."),
    reasons.MOVE_FROM_AN_EMPTY_SITE: Reason("P14", "This site in {what} is empty. There is no floor to move."),
    reasons.TAKE_NOT_ASKED: Reason("P15", "You take a card after building. Now you have to {asked}."),
    reasons.TAKE_WHERE_NONE_LIES: Reason("P15", "There is no face-up card at {what}."),
    reasons.TAKE_WHERE_YOU_BUILT: Reason("P15", "You built in {city}, so you must take the card there. Only a card with \"?\" lets you choose another."),
    reasons.SEND_NOT_ASKED: Reason("M2", "You can place a messenger only at the end of a turn in which you played a card with a star. Now you have to {asked}."),
    reasons.SEND_ON_A_TAKEN_ROAD: Reason("M3", "There is already a messenger on {what}."),
    reasons.SEND_WHERE_YOU_BUILT: Reason("M3", "You built in {city} this turn, so you cannot place a messenger next to it."),
    reasons.SEND_BESIDE_TWO: Reason("M3", "A city at {what} already has two messengers next to it."),
    reasons.SEND_WITHOUT_MESSENGERS: Reason("M1", "This game is played without messengers."),
}  # fmt: skip
