"""A report as one self-contained HTML page: no scripts, no fonts, no external images."""

from collections.abc import Iterable, Sequence
from html import escape

STYLE = """
:root { color-scheme: light dark; --paper: #f7f4ee; --card: #fffdf9; --ink: #25211b; --dim: #6c6559; --line: #e4ddd0;
  --mark: #8c2f24; --bar: #c9a66b; --good: #2b7f72; --bad: #c4622d; }
@media (prefers-color-scheme: dark) { :root { --paper: #171410; --card: #211d18; --ink: #efe8dc; --dim: #aba291;
  --line: #3b342a; --mark: #f0a08a; --bar: #8a6c3a; --good: #46a596; --bad: #d97a45; } }
* { box-sizing: border-box; }
body { margin: 0; background: var(--paper); color: var(--ink); font: 16px/1.5 system-ui, sans-serif; }
main { max-width: 72rem; margin: 0 auto; padding: 1.5rem max(.75rem, 2vw) 3rem; }
h1 { font: 600 1.9rem/1.2 Georgia, serif; margin: 0; }
h2 { font: 600 1.15rem/1.3 Georgia, serif; margin: 0 0 .25rem; }
p { margin: .25rem 0 .75rem; } .dim, p.note { color: var(--dim); } p.note { font-size: .875rem; }
.verdict { border-left: 4px solid var(--mark); padding: .5rem .75rem; background: var(--card); font-weight: 600; }
.cards { columns: 2 24rem; column-gap: 1rem; margin: 1rem 0; }
section { background: var(--card); border: 1px solid var(--line); border-radius: 8px; padding: 1rem; margin-bottom: 1rem; }
.cards section { break-inside: avoid; }
.small { display: grid; grid-template-columns: repeat(auto-fill, minmax(13rem, 1fr)); gap: .75rem 1rem; }
svg { display: block; width: 100%; height: auto; font: 13px system-ui, sans-serif; max-width: 30rem; margin: 0 auto; }
.small svg { font-size: 12px; max-width: 18rem; }
text { fill: var(--ink); } text.dim { fill: var(--dim); font-size: .92em; } text.strong { font-weight: 600; }
.grid { stroke: var(--line); } .axis { stroke: var(--dim); }
.whisker { stroke: var(--ink); stroke-width: 1.5; } .fair { stroke: var(--mark); stroke-width: 2; stroke-dasharray: 3 2; }
.dot { fill: var(--mark); stroke: var(--card); stroke-width: 1.5; } .joined { fill: none; stroke: var(--mark); stroke-opacity: .5; }
.bar { fill: var(--bar); } .good { fill: var(--good); } .bad { fill: var(--bad); } .even { fill: var(--dim); }
.empty { fill: var(--line); fill-opacity: .4; }
.scroll { overflow-x: auto; } table { border-collapse: collapse; width: 100%; font-size: .875rem; }
th, td { padding: .35rem .6rem; text-align: right; white-space: nowrap; border-bottom: 1px solid var(--line);
  font-variant-numeric: tabular-nums; }
th { color: var(--dim); font-weight: 600; } th:first-child, td:first-child, .two td:nth-child(2), .two th:nth-child(2) { text-align: left; }
.words td { text-align: left; white-space: normal; }
@media (max-width: 32rem) { svg { font-size: 15px; } text.dim { font-size: 1em; } td:first-child { white-space: normal; min-width: 7rem; } }
pre { white-space: pre-wrap; overflow-wrap: anywhere; margin: .5rem 0 0; font-size: .8125rem; }
"""


def page(title: str, body: Iterable[str], style: str = "") -> str:
    """The whole page."""
    head = '<meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">'
    return (
        f'<!doctype html>\n<html lang="en"><head>{head}<title>{escape(title)}</title><style>{STYLE}{style}</style></head>'
        f"<body><main>{''.join(body)}</main></body></html>\n"
    )


def card(title: str, note: str, body: str) -> str:
    """A part of a report with a heading and a note."""
    said = f'<p class="note">{escape(note)}</p>' if note else ""
    return f"<section><h2>{escape(title)}</h2>{said}{body}</section>"


def table(names: Sequence[str], rows: Iterable[Sequence[str]], kind: str = "") -> str:
    """Figures in rows."""
    head = "".join(f"<th>{escape(name)}</th>" for name in names)
    body = "".join(f"<tr>{''.join(f'<td>{escape(cell)}</td>' for cell in row)}</tr>" for row in rows)
    drawn = f'<table class="{kind}"><thead><tr>{head}</tr></thead><tbody>{body}</tbody></table>'
    return f'<div class="scroll" tabindex="0">{drawn}</div>'


def stand_alone(drawn: str, style: str = "") -> str:
    """A drawing of a report as a complete SVG file."""
    own = STYLE.replace("svg { display: block; width: 100%; height: auto;", "svg {").replace(
        "max-width: 30rem; margin: 0 auto;", ""
    )
    return drawn.replace("<svg ", '<svg xmlns="http://www.w3.org/2000/svg" width="640" ', 1).replace(
        ">", f'><style>{own}{style}</style><rect width="100%" height="100%" style="fill: var(--card)"/>', 1
    )
