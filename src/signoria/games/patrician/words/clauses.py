"""The clauses of Patrician in our words, and every reason why a step can be refused."""

from signoria.games.patrician.rulebook import reasons
from signoria.kernel.game import Clause, Reason

CLAUSES = (
    Clause("P1", "Two to five play. With fewer than five, Pistoia stays in the box: its seven cards, its two prestige tokens and its place on the board."),
    Clause("P2", "Every city has two building sites and two prestige tokens, a high one and a low one."),
    Clause("P3", "Shuffle the cards with a star and deal three to each player. Shuffle the other stars into the rest: that is the pile. Lay one card of the pile face up beside each city; where a card lies has nothing to do with the city it shows."),
    Clause("P4", "With two players each has 39 floors, with three 29, with four or five 21. They never run out."),
    Clause("P5", "Two players build in black and white, three in black, white and red; four or five choose among black, white, red, yellow and blue."),
    Clause("P6", "Who begins is drawn by lot. Turns go clockwise."),
    Clause("P10", "A turn begins with a card: choose one from your hand and lay it face up on your own stack. Others see only the top of it; you may look through yours whenever you like.", title="play"),
    Clause("P11", "For each crest on the card build one floor of your own in the card's city, on either of its two sites, on top of what stands there. Two crests may go on one site or on both.", title="build"),
    Clause("P12", "If one site of a city is still empty when its last floor is built, that floor goes there: every city ends with two towers.", title="both towers"),
    Clause("P13", "The moment a city has all its floors it is scored, before the turn goes on.", title="scoring"),
    Clause("P14", "A card with the move symbol lets you shift the top floor of a tower, whoever owns it, to the other site of its city. Not where you built this turn, not in a scored city, and only where you own a floor. You may leave it.", title="move", ruling="A move may empty a site."),
    Clause("P15", 'Take the face-up card at the city you built in. With "?" on your card you may take any face-up card instead, and also when none lies at that city. When no card lies anywhere, nothing is taken.', title="take", ruling="Taking is not optional."),
    Clause("P16", "Lay the next card of the pile where the taken card lay. When the pile is gone, the place stays empty.", title="replace"),
    Clause("P17", "The game is over when all hands are empty. Everybody has then played equally often: 24, 16, 12 or 11 cards with two, three, four or five players.", title="end"),
    Clause("P20", "When a city is scored, whoever has most floors in its taller tower takes the high token, and whoever has most in the other tower the low one. One player may take both. Floors are odd in number, so one tower is always taller."),
    Clause("P21", "If players have equally many floors in a tower, the one of them whose floor is nearest the top wins it."),
    Clause("P22", "At the end every three equal portraits on the cards you played are worth 6 points. A card with two portraits counts twice."),
    Clause("P23", "Most points win, tokens and portraits together. If tied: who has fewer floors on the board. If still tied, they share the victory."),
    Clause("P24", "Tokens won lie open or face down, as the table agrees. It changes what the others see, nothing else.", title="option"),
    Clause("M1", "With two or three players each has two messengers, with four or five one."),
    Clause("M2", "If the card you played has a star you may, at the end of your turn, place one of your messengers on the road between two neighbouring cities: Roma-Siena, Siena-Lucca, Siena-Bologna, Lucca-Milano, Lucca-Ferrara, Milano-Parma, Parma-Verona, Verona-Ferrara, Ferrara-Bologna or Bologna-Firenze, with five players also Roma-Pistoia or Pistoia-Firenze."),
    Clause("M3", "A messenger may not stand beside the city you built in this turn. No road takes more than one, and no city has more than two beside it."),
    Clause("M4", "A messenger beside a city that is already scored does nothing there."),
    Clause("M5", "When a city is scored, the winner of each tower takes an extra token of 2 points for every messenger beside the city."),
    Clause("M6", "At the end the player who won fewest towers in cities scored with a messenger loses 3 points. If tied: who has fewer floors in those cities. If still tied, nobody loses any.", ruling="A city whose messenger came after its scoring does not count."),
    Clause("A1", "At the end ambassador A goes to whoever won most tokens of 6, B most of 4, C most of 2. Each is one more portrait, whichever is worth most to its holder."),
    Clause("A2", "If players are tied for A, B or C, the ambassador goes to the one of them who holds the left-most token pictured on it: Firenze's 6 for A, Milano's 4 for B, Verona's 2 for C."),
    Clause("A3", "Ambassador D goes to whoever won most points in Verona, Parma and Milano and is one more portrait of each kind. If tied: more points in Verona.", ruling="If still tied: more points in Parma, then in Milano."),
    Clause("A4", "Tokens won through messengers do not count for the ambassadors."),
)  # fmt: skip

RULINGS = (
    Clause("P10", "A step can be taken back until it turned up a card of the pile or another player has acted. A card that was played and taken back counts as never shown, for views and for memory.", title="undo"),
    Clause("A1", "As long as nobody can claim an ambassador (no such token is won yet, or those tied hold none that decides), nobody has it.", title="in the middle of a game"),
)  # fmt: skip

REASONS: dict[int, Reason] = {
    reasons.LEGAL: Reason("", "This can be done."),
    reasons.GAME_OVER: Reason("P17", "The game is over."),
    reasons.OUT_OF_PLAY: Reason("P1", "{what} is not in this game: that is for five players."),
    reasons.PLAY_NOT_ASKED: Reason("P10", "A card is played at the start of a turn; now you are asked to {asked}."),
    reasons.CARD_NOT_IN_HAND: Reason("P10", "{what} is not in your hand."),
    reasons.BUILD_NOT_ASKED: Reason("P11", "Floors are built right after a card is played; now you are asked to {asked}."),
    reasons.BUILD_ON_THE_EMPTY_SITE: Reason("P12", "This is the last floor of {city}, and its other site is still empty: it must go there."),
    reasons.MOVE_NOT_ASKED: Reason("P14", "A floor is moved only after building with a card that shows the move symbol; now you are asked to {asked}."),
    reasons.MOVE_WHERE_YOU_BUILT: Reason("P14", "You built in {what} this turn: move a floor in another city."),
    reasons.MOVE_IN_A_SCORED_CITY: Reason("P14", "{what} is scored: its towers stay as they are."),
    reasons.MOVE_WITHOUT_A_FLOOR: Reason("P14", "You own no floor in {what}, so nothing can be moved there."),
    reasons.MOVE_FROM_AN_EMPTY_SITE: Reason("P14", "That site of {what} is empty: there is no floor to move."),
    reasons.TAKE_NOT_ASKED: Reason("P15", "A card is taken after building; now you are asked to {asked}."),
    reasons.TAKE_WHERE_NONE_LIES: Reason("P15", "No card lies face up at {what}."),
    reasons.TAKE_WHERE_YOU_BUILT: Reason("P15", "You built in {city} and a card lies there: without \"?\" on your card you take that one."),
    reasons.SEND_NOT_ASKED: Reason("M2", "A messenger is placed at the end of a turn in which you played a card with a star; now you are asked to {asked}."),
    reasons.SEND_ON_A_TAKEN_ROAD: Reason("M3", "A messenger stands on {what} already."),
    reasons.SEND_WHERE_YOU_BUILT: Reason("M3", "You built in {city} this turn: no messenger may stand beside it now."),
    reasons.SEND_BESIDE_TWO: Reason("M3", "Two messengers stand beside a city at {what} already."),
    reasons.SEND_WITHOUT_MESSENGERS: Reason("M1", "This table plays without messengers."),
}  # fmt: skip
