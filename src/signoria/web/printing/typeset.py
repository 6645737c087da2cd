"""HTML of the rules as Typst: paragraphs, lists, tables, links to clauses, and drawings.

Only what the rules use is known: headings, paragraphs, `b`, `em`, `code`, links, lists, tables and inline SVG, and a few classes
(`shown`, `picture`, `in-order`, `figures`, `split`). Text of unknown elements is set as it is.
"""

import re
from collections.abc import Callable, Collection, Mapping
from html.parser import HTMLParser
from xml.etree import ElementTree as ET

from signoria.web.kit.still import Still

VOID = frozenset({"br", "hr", "img", "input", "link", "meta"})
SVG_NAMES = {"viewbox": "viewBox", "clippath": "clipPath", "preserveaspectratio": "preserveAspectRatio"}
"""Names that HTML writes in any case and SVG does not."""
BLOCKS = frozenset(
    {"address", "article", "div", "dl", "figure", "h1", "h2", "h3", "header", "ol", "p", "section", "table", "ul"}
)
HEIGHTS = {
    "thing": 8.5,
    "b": 4.2,
    "small": 4.8,
    "tiny": 3.7,
    "ground": 4.6,
}
"""The heights of drawings that have no size of their own, by class, in millimetres; games add their own."""
USUAL_HEIGHT = 8.0
SKIPPED = frozenset({"hidden", "on-screen"})
"""Classes of elements that are not printed."""
SHORT = 15
"""The most characters of a column that is as narrow as its text."""
NO_BREAK = "\N{NO-BREAK SPACE}"
SCALE = 0.212
"""Millimetres for each unit of a drawing that has its own size."""
CARD = 18.5
"""The height of a card, in millimetres."""


class _Reader(HTMLParser):
    """Reads HTML into a tree of elements."""

    def __init__(self) -> None:
        super().__init__(convert_charrefs=True)
        self.root = ET.Element("body")
        self._open = [self.root]

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        given = {SVG_NAMES.get(name, name): value or "" for name, value in attrs}
        element = ET.SubElement(self._open[-1], SVG_NAMES.get(tag, tag), given)
        if tag not in VOID:
            self._open.append(element)

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.handle_starttag(tag, attrs)
        self.handle_endtag(tag)

    def handle_endtag(self, tag: str) -> None:
        name = SVG_NAMES.get(tag, tag)
        if any(one.tag == name for one in self._open[1:]):
            while self._open.pop().tag != name:
                pass

    def handle_data(self, data: str) -> None:
        around = self._open[-1]
        if len(around):
            around[-1].tail = (around[-1].tail or "") + data
        else:
            around.text = (around.text or "") + data


def read_html(html: str) -> ET.Element:
    """A tree of elements."""
    reader = _Reader()
    reader.feed(html)
    reader.close()
    return reader.root


def quoted(text: str) -> str:
    """A text as a string of Typst."""
    return '"' + text.replace("\\", "\\\\").replace('"', '\\"').replace("\n", "\\n") + '"'


def _kinds(element: ET.Element) -> list[str]:
    return (element.get("class") or "").split()


class Typesetter:
    """Sets HTML. `paper` knows the symbols and colours of a game; `clauses` are those that links may lead to."""

    def __init__(
        self,
        paper: Still,
        clauses: Collection[str],
        pictures: Mapping[str, Callable[[], str]],
        heights: Mapping[str, float],
    ) -> None:
        self._heights = HEIGHTS | dict(heights)
        self._paper, self._clauses, self._pictures = paper, frozenset(clauses), pictures
        self._around: list[str] = []

    def html(self, html: str) -> str:
        """A part of a page."""
        return self.blocks(read_html(html))

    def pictures(self, html: str) -> str:
        """Drawings side by side."""
        return "".join(self._inline(one) for one in read_html(html))

    # Blocks

    def blocks(self, element: ET.Element) -> str:
        """The inside of a block: paragraphs, tables and so on; text between them becomes a paragraph."""
        parts: list[str] = []
        loose = _text(element.text)
        for one in element:
            if one.tag in BLOCKS or "scroll" in _kinds(one):
                parts += [loose, self._block(one)]
                loose = _text(one.tail)
            else:
                loose += self._inline(one) + _text(one.tail)
        return "\n\n".join(part for part in (*parts, loose) if part.strip().strip('#" ;'))

    def _block(self, element: ET.Element) -> str:
        kinds = _kinds(element)
        if SKIPPED & set(kinds):
            return ""
        for kind in kinds:
            if kind in self._pictures:
                return f"#wide({_image(self._pictures[kind]())})"
        match element.tag:
            case "h1" | "h2" | "h3":
                return f"#heading(level: {int(element.tag[1]) - 1 or 1})[{self.inside(element)}]"
            case "p" if "things" in kinds or "picture" in kinds:
                return f"#align(center)[{self.inside(element)}]"
            case "p":
                body = self.inside(element)
                return f"#quiet[{body}]" if "quiet" in kinds else f"#par[{body}]"
            case "ol" if "in-order" in kinds:
                return "\n\n".join(self._step(one, n) for n, one in enumerate(element.findall("li"), 1))
            case "ol" | "ul":
                return "\n\n".join(f"#point[{self.blocks(one)}]" for one in element.findall("li"))
            case "table":
                return self._table(element)
        if "shown" in kinds and len(element) == 2:
            picture, told = element
            return f"#shown[{self.inside(picture)}][{self.blocks(told)}]"
        if "split" in kinds or "halves" in kinds:
            cells = ", ".join(f"[{self.blocks(one)}]" for one in element)
            return f"#{'split' if 'split' in kinds else 'halves'}({cells})"
        return self.blocks(element)

    def _step(self, element: ET.Element, n: int) -> str:
        things = next((one for one in element if "things" in _kinds(one)), None)
        if things is None:
            return f"#step({n})[{self.blocks(element)}]"
        drawn = self.inside(things)
        element.remove(things)
        return f"#step({n}, things: [{drawn}])[{self.blocks(element)}]"

    def _table(self, table: ET.Element) -> str:
        kinds = _kinds(table)
        rows = list(table.iter("tr"))
        head = {id(row) for part in table.findall("thead") for row in part.iter("tr")}
        columns = max(sum(int(cell.get("colspan", "1")) for cell in row) for row in rows)
        cells: list[str] = []
        heads: list[str] = []
        for row in rows:
            into = heads if id(row) in head else cells
            for cell in row:
                into.append(self._cell(cell, "total" in _kinds(row)))
        widths = table.get("data-widths") or _widths(rows, columns)
        kind = "blank-sheet" if "blank-sheet" in kinds else "figures"
        return f"#{kind}({widths}, ({', '.join([*heads, ''])}), ({', '.join([*cells, ''])}))"

    def _cell(self, cell: ET.Element, strong: bool) -> str:
        body = self.inside(cell)
        if strong:
            return f"table.cell(fill: well)[#strong[{body}]]"
        if cell.tag == "th" and cell.get("scope") == "row":
            body = f"#row-head[{body}]"
        span = cell.get("colspan")
        return f"table.cell(colspan: {span})[{body}]" if span else f"[{body}]"

    # Inline

    def inside(self, element: ET.Element) -> str:
        """The inside of a paragraph. The number of a clause stays on the line of the word before it."""
        written, before = "", element.text
        for one in element:
            tied = "clause" in _kinds(one) and (before or "").endswith(" ")
            written += _text((before or "")[:-1] + NO_BREAK if tied else before) + self._inline(one)
            before = one.tail
        return written + _text(before)

    def _inline(self, element: ET.Element) -> str:
        kinds = _kinds(element)
        if SKIPPED & set(kinds):
            return ""
        if "token-drawn" in kinds:
            seal, points = element.find("svg"), element.find("b")
            assert seal is not None
            return f"#token({self._drawing(seal)})[{self.inside(points) if points is not None else ''}]"
        match element.tag:
            case "svg":
                return f"#{self._drawing(element)};"
            case "b" | "strong":
                return f"#strong[{self.inside(element)}]"
            case "em" | "i":
                return f"#emph[{self.inside(element)}]"
            case "small" if "clause" in kinds:
                return f"#see-outside({quoted(''.join(element.itertext()))});"
            case "small":
                return f"#small[{self.inside(element)}]"
            case "code":
                return f"#raw({quoted(''.join(element.itertext()))});"
            case "br":
                return "#linebreak();"
            case "a":
                wanted = (element.get("href") or "").rpartition("#")[2]
                return f"#see({quoted(wanted)});" if wanted in self._clauses else self.inside(element)
        self._around += kinds
        body = self.inside(element)
        del self._around[len(self._around) - len(kinds) :]
        return body

    def _drawing(self, element: ET.Element) -> str:
        kinds = [*self._around, *_kinds(element)]
        for one in element.iter("g"):
            _ink_mark(one)
        drawn = self._paper.drawing(element, *self._around)
        if "face" in kinds:
            return f"drawn({_image(drawn)}, {CARD}mm)"
        box = (element.get("viewBox") or "").split()
        if len(box) == 4 and "ground" not in kinds:
            return f"drawn({_image(drawn)}, {float(box[3]) * SCALE:.1f}mm)"
        height = next((self._heights[kind] for kind in kinds if kind in self._heights), USUAL_HEIGHT)
        return f"drawn({_image(drawn)}, {height}mm)"


def _ink_mark(group: ET.Element) -> None:
    """Colour the mark of a step that is legal or refused, as `rules.css` does on pages."""
    kinds = _kinds(group)
    if "verdict-mark" in kinds:
        name = "alert" if "no" in kinds else "good"
        for part in group:
            part.set("stroke", f"var(--{name})")
            part.set("stroke-width", "2.4")
            part.set("fill", f"var(--{name}-bg)" if part.tag == "circle" else "none")


def _widths(rows: list[ET.Element], columns: int) -> str:
    """Short columns are as narrow as their text; the others share the rest by their length."""
    longest = [0] * columns
    for row in rows:
        if len(row) == columns:
            for place, cell in enumerate(row):
                longest[place] = max(longest[place], len("".join(cell.itertext()).strip()))
    if max(longest) <= SHORT:
        return f"(auto, {'1fr, ' * (columns - 1)})"
    return f"({''.join('auto, ' if length <= SHORT else f'{length}fr, ' for length in longest)})"


def _image(svg: str) -> str:
    return f"bytes({quoted(svg)})"


def _text(text: str | None) -> str:
    """Text between elements; runs of white space are one space."""
    said = re.sub(r"[ \t\r\n]+", " ", text or "")
    if said == NO_BREAK:
        return "~"
    return f"#{quoted(said)};" if said.strip() or said == " " else ""
