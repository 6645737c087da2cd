"""Patrician as it is offered to people who may want to play it: what it is about, and what a table can agree on."""

from signoria.kernel.game import Note, OptionLabel

INTRO = (
    "Master builders raise pairs of towers in ten cities. Play a card, build its floors in the city it shows, and take "
    "the card that lies there. Most floors in a finished tower win its prestige; three equal portraits on your cards are "
    "worth 6 points more."
)
PLAYERS_NOTE = Note("With two, three or four players Pistoia stays in the box.", "P1")
OPTION_LABELS = (
    OptionLabel(
        name="messengers",
        title="Messengers",
        says="Messengers on the roads make the tokens of cities worth more.",
        clause="M1",
        help="play with the messengers.",
    ),
    OptionLabel(
        name="ambassadors",
        title="Ambassadors",
        says="Four ambassadors give extra points at the end.",
        clause="A1",
        help="play with the ambassadors.",
    ),
    OptionLabel(
        name="tokens",
        title="Tokens",
        says="How prestige tokens lie that somebody has won.",
        clause="P24",
        choices=(("open", "open"), ("hidden", "face down")),
        help="how tokens won lie.",
    ),
)
