"""The documents of a game on paper: rules, score sheets, a player aid."""

from collections.abc import Iterator, Mapping
from importlib.util import find_spec
from pathlib import Path
from types import MappingProxyType

from signoria.games import AnyGame, find_game
from signoria.kernel.clauses import Clause
from signoria.kernel.errors import BadOption
from signoria.kernel.language import PSEUDO, language, per_language, say, to_say
from signoria.web.board import Board, find_board
from signoria.web.examples import DrawnExample, examples_of
from signoria.web.kit.skyline import skyline
from signoria.web.kit.still import STATIC, Still, read_styles
from signoria.web.printing.typeset import Typesetter, quoted, read_html
from signoria.web.rules import parts

FOLDER = Path(__file__).parent
FONTS = FOLDER.parent / "fonts" / "latin"
KINDS: Mapping[str, str] = MappingProxyType(
    {"rules": to_say("Rules"), "score-sheet": to_say("Score pad"), "player-aid": to_say("Player aid")}
)
"""What can be printed, with its title."""
TOWN = "130 6 940 186"
"""The part of the skyline above the rules."""


def can_print() -> bool:
    """Whether Typst is installed."""
    return find_spec("typst") is not None


def printable(name: str) -> tuple[str, ...]:
    """What can be printed of a game."""
    return tuple(kind for kind in KINDS if kind != "player-aid" or find_board(name).player_aid())


def make_pdf(name: str, kind: str) -> bytes:
    """A document in the language that is spoken now. It takes some tenths of a second, so not in the event loop."""
    if not can_print():
        raise BadOption(
            say("Printing needs Typst. Install it with: {command}", command='pip install "signoria[print]"')
        )
    import typst

    fonts = typst.Fonts(include_system_fonts=False, include_embedded_fonts=True, font_paths=[str(FONTS)])
    made = typst.Compiler(source(name, kind).encode(), font_paths=fonts).compile(format="pdf")
    assert isinstance(made, bytes)
    return made


def source(name: str, kind: str) -> str:
    """A document as Typst."""
    if kind not in printable(name):
        possible = ", ".join(printable(name))
        raise BadOption(
            say("what: {kind!r} is not possible for {game}; use {possible}.", kind=kind, game=name, possible=possible)
        )
    game, board = find_game(name), find_board(name)
    known = [clause.id for clause in game.clauses] if kind == "rules" else []
    setter = Typesetter(_paper(board), known, board.printed_pictures, board.printed_heights)
    written = {"rules": _rules, "score-sheet": _score_sheet, "player-aid": _player_aid}[kind](game, board, setter)
    given = (
        f"title: {quoted(game.title)}, what: {quoted(say(KINDS[kind]))},"
        f" language: {quoted('en' if language() == PSEUDO else language())}, card: {'true' if kind == 'player-aid' else 'false'},"
        f" numbered: {'true' if kind == 'rules' else 'false'}"
    )
    style = (FOLDER / "style.typ").read_text("utf-8")
    return f"{style}\n#show: paper.with({given})\n" + "\n\n".join(written)


@per_language()
def _paper(board: Board) -> Still:
    """The symbols of a game, and what its style sheets say about them."""
    names = ("app.css", "drawn.css", "lobby.css", *board.seat_styles, *board.styles, *board.rules_styles, "rules.css")
    paths = [
        board.static / name.rpartition("/")[2] if name.startswith("games/") and board.static else STATIC / name
        for name in dict.fromkeys(names)
    ]
    return Still(
        read_styles(paths, scope=board.name), board.symbols() + board.rules_symbols() + board.example_symbols(), 0, 0
    )


# The rules


def _rules(game: AnyGame, board: Board, setter: Typesetter) -> Iterator[str]:
    town = read_html(skyline())[0]
    town.set("viewBox", TOWN)
    banner = quoted(_paper(board).drawing(town))
    intro = game.texts.tell(game.intro)
    yield f"#banner({quoted(game.title)}, {quoted(say('Rules'))}, bytes({banner}))[#lead[#{quoted(intro)};]]"
    yield setter.html(board.told())
    yield f"#heading(level: 1)[#{quoted(say('Full rules'))};]"
    says = say("These are the exact rules. Where the rulebooks leave something open, a ruling says how we play it.")
    yield f"#quiet[#{quoted(says)};]"
    examples = examples_of(board)
    for part in parts(board.headings, game.told_clauses, board.say):
        yield f"#heading(level: 2)[#{quoted(part.title)};]"
        for clause in part.clauses:
            yield _clause(clause, shown=clause.id in examples)
            for one in examples.get(clause.id, ()):
                yield _example(one, setter)
    yield f"#together[{setter.html(board.reference())}\n\n{setter.html(board.printed_reference())}]"


def _clause(clause: Clause, *, shown: bool) -> str:
    ruling = f", ruling: {quoted(say('Ruling: {ruling}', ruling=clause.ruling))}" if clause.ruling else ""
    title = clause.title[:1].upper() + clause.title[1:]
    return f"#clause({quoted(clause.id)}, {quoted(title)}, {quoted(clause.says)}{ruling}, shown: {'true' if shown else 'false'})"


def _example(one: DrawnExample, setter: Typesetter) -> str:
    """Pictures of a position, and what the rules say about each step."""
    drawn = setter.pictures("".join(panel.__html__() for panel in one.panels))
    after = setter.pictures("".join(panel.__html__() for panel in one.after))
    told = ", ".join(
        f"({quoted(verdict.kind)}, {quoted(f'{verdict.title}.')}, {quoted(' '.join(verdict.says))})"
        for verdict in one.verdicts
    )
    then = f", after: [{after}]" if after else ""
    return f"#example([{drawn}], {quoted(one.says)}, ({told}{',' if told else ''}){then})"


# Sheets to write on, and aids


def _score_sheet(game: AnyGame, board: Board, setter: Typesetter) -> Iterator[str]:
    """Two copies of the sheet, to be cut apart."""
    sheet = setter.html(board.score_sheet())
    copy = f"#small-banner({quoted(game.title)}, {quoted(say(KINDS['score-sheet']))})\n\n{sheet}"
    yield f"#copies[{copy}]"


def _player_aid(game: AnyGame, board: Board, setter: Typesetter) -> Iterator[str]:
    """A sheet to be folded in the middle."""
    yield f"#small-banner({quoted(game.title)}, {quoted(say(KINDS['player-aid']))})"
    yield setter.html(board.player_aid())
