"""M1 to M6 and A1 to A4: messengers and ambassadors."""

from signoria.games.patrician.examples.facts import city, player, tokens
from signoria.games.patrician.examples.position import setup
from signoria.games.patrician.rulebook.components import FIGURES
from signoria.games.patrician.rulebook.steps import Build, Messenger, Play
from signoria.games.patrician.view import View
from signoria.kernel.examples import Example
from signoria.kernel.language import to_say


def _held(view: View, letter: str) -> int:
    """How many tokens of the kind that an ambassador counts its holder has won."""
    holder = (view.ambassadors or {})[letter]
    points = FIGURES.ambassadors.counts["ABC".index(letter)]
    return sum(
        winner == holder
        for one in view.cities
        for points_of, winner in zip(one.tokens, one.won, strict=True)
        if points_of == points
    )


EXPANSIONS = (
    Example(
        "M1",
        to_say("This game is played without messengers, so {p0} cannot place one."),
        setup(hands={0: ["roma-1"]}),
        before=(Play("roma-1"), Build(0)),
        draws=("city milano", "city parma"),
        refused=(Messenger(("milano", "parma")),),
    ),
    Example(
        "M2",
        to_say("{p0} has played a card with a star and built in Roma. {p0} may now place a messenger, for example between Milano and Parma."),
        setup(hands={0: ["roma-1"]}, messengers={}),
        before=(Play("roma-1"), Build(0)),
        draws=("played", "road milano-parma"),
        legal=(Messenger(("milano", "parma")),),
        after=True,
    ),
    Example(
        "M3",
        to_say("{p0} built in Roma, so the road to Siena is not allowed. The road between Lucca and Ferrara has a messenger already, and Lucca already has {beside} next to it."),
        setup(
            2,
            hands={0: ["roma-1"]},
            messengers={("lucca", "ferrara"): 1, ("lucca", "milano"): 0},
            escorts={"lucca": 2, "ferrara": 1, "milano": 1},
        ),
        before=(Play("roma-1"), Build(0)),
        draws=("road roma-siena", "road lucca-ferrara", "road siena-lucca"),
        refused=(Messenger(("roma", "siena")), Messenger(("lucca", "ferrara")), Messenger(("siena", "lucca"))),
        facts=lambda view: {"beside": city(view, "lucca").messengers},
    ),
    Example(
        "M4",
        to_say("Verona is already scored, so a new messenger between Verona and Ferrara adds nothing there. In Ferrara it adds {adds} points to each token."),
        setup(
            2,
            hands={0: ["roma-1"]},
            towers={"verona": ("010", "11"), "ferrara": ("0", "1")},
            won={"verona": (0, 1)},
            messengers={},
        ),
        before=(Play("roma-1"), Build(0)),
        draws=("road verona-ferrara",),
        legal=(Messenger(("verona", "ferrara")),),
        event="M2",
        facts=lambda view: {"adds": city(view, "ferrara").messenger_adds},
    ),
    Example(
        "M5",
        to_say("Verona has {beside} messengers next to it, so each of its towers is worth {extra} points more."),
        setup(
            2,
            towers={"verona": ("011", "0")},
            hands={0: ["verona-3"]},
            messengers={("parma", "verona"): 0, ("verona", "ferrara"): 1},
            escorts={"verona": 2, "parma": 1, "ferrara": 1},
        ),
        before=(Play("verona-3"),),
        draws=("city verona", "road verona-ferrara"),
        legal=(Build(1),),
        event="P20",
        facts=lambda view: {"beside": city(view, "verona").messengers, "extra": city(view, "verona").extra},
    ),
    Example(
        "M6",
        to_say("The game is over. Verona was scored with a messenger, and {p0} won both towers there. {p1} won none and loses points."),
        setup(
            2,
            turn=48,
            over=True,
            towers={"verona": ("001", "00")},
            won={"verona": (0, 0)},
            messengers={("parma", "verona"): 0},
            escorts={"verona": 1, "parma": 1},
        ),
        draws=("road parma-verona", "city verona"),
        scores=True,
    ),
    Example(
        "A1",
        to_say("{p0} has won {sixes} tokens worth {six}, more than anyone else, and gets ambassador A. It completes a set of captains."),
        setup(
            2,
            turn=48,
            over=True,
            ambassadors=True,
            towers={"roma": ("11110", "0000"), "firenze": ("11110", "0000")},
            won={"roma": (1, 0), "firenze": (1, 0)},
            played={0: ["roma-1", "roma-4"]},
        ),
        draws=("city roma", "city firenze", "stack 0"),
        scores=True,
        points_from="P22",
        facts=lambda view: {"sixes": _held(view, "A"), "six": tokens(view, "roma")["low"]},
    ),
    Example(
        "A2",
        to_say("{p0} and {p1} have won the same number of tokens worth {six}. {p1} holds the one of Firenze, which breaks the tie for ambassador A."),
        setup(
            2,
            turn=48,
            over=True,
            ambassadors=True,
            towers={"roma": ("11110", "0000"), "firenze": ("00001", "1111")},
            won={"roma": (1, 0), "firenze": (0, 1)},
            played={1: ["roma-1", "roma-4"]},
        ),
        draws=("city roma", "city firenze", "stack 1"),
        scores=True,
        points_from="P22",
        facts=lambda view: {"six": tokens(view, "roma")["low"]},
    ),
    Example(
        "A3",
        to_say("{p0} has won {mine} points in Verona, Parma and Milano and gets ambassador D. It completes a set of captains."),
        setup(
            2,
            turn=48,
            over=True,
            ambassadors=True,
            towers={"verona": ("001", "00"), "milano": ("00001", "11")},
            won={"verona": (0, 0), "milano": (0, 1)},
            played={0: ["roma-1", "roma-4"]},
        ),
        draws=("city verona", "city milano", "stack 0"),
        scores=True,
        points_from="P22",
        facts=lambda view: {"mine": player(view, 0).token_points},
    ),
    Example(
        "A4",
        to_say("{p0} has tokens worth {tokens} points and {extra} more for messengers. Only the tokens themselves count for the ambassadors."),
        setup(
            2,
            turn=48,
            over=True,
            ambassadors=True,
            towers={"verona": ("001", "00")},
            won={"verona": (0, 0)},
            messengers={("parma", "verona"): 0},
            escorts={"verona": 1, "parma": 1},
        ),
        draws=("road parma-verona",),
        scores=True,
        points_from="M5",
        facts=lambda view: {"tokens": view.players[0].score.tokens, "extra": view.players[0].score.messengers} if view.players[0].score else {},
    ),
)  # fmt: skip
