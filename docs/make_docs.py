"""Writes the documents that are made from data: components, rules, rulings, strength, the house's performance, its reliability.

make docs
"""

import sys
from pathlib import Path
from typing import Any

from reliability_docs import reliability_md
from server_docs import performance_md
from strength_docs import curve_svg, strength_md

from signoria.games import GAMES, AnyGame
from signoria.games.il_principe.rulebook import components as il_principe
from signoria.games.patrician.rulebook import components as patrician
from signoria.kernel.printed import figures

HERE = Path(__file__).parent
MADE = "<!-- Made by docs/make_docs.py; edit what it is made from. -->\n\n"

PATRICIAN = """\
## Patrician: what a card list must satisfy

| constraint | grade |
| --- | --- |
| a line for each of the ten cities, with 7, 5 or 4 cards as printed | printed |
| every card shows one crest and exactly one thing more: a second crest, one portrait, two equal portraits, ? or move | published |
| the cards of a city fill its floors exactly, so 2, 2 or 1 of them by the city's size show a second crest | derived |
| a star card never shows two crests: only then are 39, 29 and 21 exactly the most floors a player can need | derived |
| at least 12 stars outside Pistoia, 15 in all: three for each of four, or of five players | derived |
| 21 to 33 portraits among the 48 cards without Pistoia | derived |
| a Lucca card with one crest shows move | printed |
| portraits are what most cards show | published |

The last one is read as: among the 48 cards without Pistoia more show a portrait than a second crest, ? or move. With 15
second crests among 48 cards, and a symbol on some, more than half could hardly be meant.

How the derived figures follow:

- All cards are played and fill every city exactly. A city with 7 cards and 9 floors therefore has two cards with two
  crests, one with 5 cards and 7 floors two, one with 4 cards and 5 floors one.
- With two players each plays 24 of 48 cards, 15 of which can show two crests: 39 floors. With three each plays 16
  cards; if the three stars it was dealt have one crest and all others two, that is 29; with four likewise 12 cards and
  21 floors. The supplies printed are exactly these numbers, so stars never show two crests.
- Violet is Firenze's colour or Bologna's: the violet token of ambassador A is a 6, and of the four cities with a 6
  Roma is red and Pistoia orange.

"""

IL_PRINCIPE = """\
## Il Principe: what a city table must satisfy

| constraint | grade |
| --- | --- |
| a line for each of the fifteen cities, by their names | published |
| a small, medium or large city asks for 3, 4 or 5 building cards and as many ducats, and gives 4, 6 or 8 points | published |
| it touches 1, 2 or 3 different regions of the six | published |
| a small city shows one crest | derived |
| a medium and a large city show two, as Milano and Firenze do | printed, published |
| Milano asks for one red, two blue and one yellow, and touches blue and green | printed |

Firenze is published in full; an owner's own card outranks that. The other thirteen are reconstructed: with the colours in a circle in their order, a medium
city asks for two of its colour and one of each neighbour, as Milano does; a large one for two of its colour and one of
every other but the next, as Firenze does; a small one for its colour and both neighbours. All fifteen then ask for each
colour exactly twelve times. Names and borders of the regions follow the states of about 1450.

"""


def main() -> None:
    """Write every document, or with --check say which is out of date."""
    documents = {
        "components.md": components_md(),
        "rules.md": rules_md(),
        "rulings.md": rulings_md(),
        "strength.md": strength_md(MADE),
        "performance.md": performance_md(),
        "reliability.md": reliability_md(),
        **{f"strength/{game}.svg": curve_svg(game) for game in GAMES},
    }
    stale = [name for name, text in documents.items() if _read(name) != text]
    if "--check" in sys.argv:
        sys.exit(f"Out of date: {', '.join(stale)}. Run make docs." if stale else 0)
    for name, text in documents.items():
        (HERE / name).write_text(text, "utf-8")


def _read(name: str) -> str:
    path = HERE / name
    return path.read_text("utf-8") if path.exists() else ""


def components_md() -> str:
    """Every printed figure with its grade and source, and what an owner's own list must satisfy."""
    return (
        f"{MADE}# What is printed on the components, and how sure we are\n\n"
        "**printed**: in a rulebook. **published**: described by somebody who has the box. **derived**: follows by\n"
        "arithmetic. **reconstructed**: ours, the simplest table that satisfies everything else.\n\n"
        "Whoever owns a box can bring its own list: `signoria deck show [GAME] > my-box.txt`, edit it, and\n"
        "`signoria deck check my-box.txt` says whether it can be right, naming the constraint it breaks and, where there\n"
        "is one, the card or city and the line. Then `--deck my-box.txt` (Patrician) or `--cities my-box.txt`\n"
        "(Il Principe) wherever a game starts. A record carries what it was played with.\n\n"
        f"## Patrician: the deck\n\n```\n{patrician.HEADING}{patrician.write_deck(patrician.standard())}```\n\n{PATRICIAN}"
        f"## Il Principe: the cities\n\n```\n{il_principe.HEADING}{il_principe.write_cities(il_principe.standard())}```\n\n{IL_PRINCIPE}"
        f"## Patrician: every figure\n\n{_figures(patrician.printed())}\n"
        f"## Il Principe: every figure\n\n{_figures(il_principe.printed())}"
    )


def _figures(printed: dict[str, Any]) -> str:
    rows = (
        f"| {figure.what} | {_value(figure.value)} | {figure.grade} | {figure.source.partition(',')[0]} |\n"
        for figure in figures(printed)
    )
    return "| figure | value | grade | source |\n| --- | --- | --- | --- |\n" + "".join(rows)


def _value(value: object) -> str:
    if isinstance(value, list):
        return ", ".join("-".join(item) if isinstance(item, list) else str(item) for item in value)
    return str(value).replace("*", "\\*")


def rules_md() -> str:
    """All clauses in our words."""
    return MADE + "# The rules, clause by clause\n" + "".join(_rules(game) for game in GAMES.values())


def _rules(game: AnyGame) -> str:
    clauses = (
        f"- **{c.id}{f' {c.title}' if c.title else ''}** {c.says}{f' *Our ruling: {c.ruling}*' if c.ruling else ''}\n"
        for c in game.clauses
    )
    return f"\n## {game.title}\n\n{''.join(clauses)}"


def rulings_md() -> str:
    """Everything we decided where the rulebooks are silent or disagree."""
    text = f"{MADE}# Our rulings\n\nWhat we decided where the rulebooks are silent or disagree. Clauses are in [rules.md](rules.md).\n"
    for game in GAMES.values():
        own = [(clause.id, clause.ruling) for clause in game.clauses if clause.ruling]
        other = [(f"{clause.id}, {clause.title}", clause.says) for clause in game.rulings]
        text += f"\n## {game.title}\n\n" + "".join(f"- **{name}** {says}\n" for name, says in own + other)
    return text


if __name__ == "__main__":
    main()
