"""The drawings of a board as one plain SVG that needs no browser: symbols are copied in, and colours are written out.

Pages take colours from style sheets. Programs that turn an SVG into pixels know neither CSS variables nor the symbols of
a page, so a `Still` reads the same style sheets and symbols and writes the result down.
"""

import re
from collections.abc import Iterable, Mapping
from html import escape
from pathlib import Path
from typing import NamedTuple
from xml.etree import ElementTree as ET

from signoria.web.kit.paper import Paper

STATIC = Path(__file__).parent.parent / "static"
FONTS = "Alegreya, Palatino, Georgia, serif"
DRAWN = frozenset(
    {
        *("fill", "fill-opacity", "fill-rule", "stroke", "stroke-width", "stroke-opacity", "stroke-linecap"),
        *("stroke-linejoin", "stroke-dasharray", "opacity"),
    }
)
"""What style sheets may say about a part of a drawing."""
CARD_TITLE = {
    "font-size": "14",
    "text-anchor": "middle",
    "fill": "var(--on-c, #fff8e6)",
    "font-family": "Della Respira",
    "letter-spacing": ".4",
}
"""What `drawn.css` says about the title on the face of a card."""
Values = Mapping[str, str]
PLACE = "(place)"
_VARIABLE = re.compile(r"var\(\s*(--[\w-]+)\s*(?:,\s*((?:[^()]|\([^()]*\))*))?\)")
_RULE = re.compile(r"([^{}]+)\{([^{}]*)\}")
_CLASS = re.compile(r"^\.([\w-]+)$")
_NAMESPACE = "{http://www.w3.org/2000/svg}"


class StyleRules(NamedTuple):
    """What style sheets say in light mode: for the whole page, and by class."""

    root: dict[str, str]
    classes: dict[str, dict[str, str]]


def read_styles(paths: Iterable[Path], scope: str = "") -> StyleRules:
    """The colours of light mode, and the rules for single classes; also those that hold only inside the class `scope`."""
    sheet = StyleRules({}, {})
    for path in paths:
        text = _in_light_mode(re.sub(r"/\*.*?\*/", "", path.read_text("utf-8"), flags=re.S))
        for selectors, body in _RULE.findall(_without_blocks(text)):
            parts = (one.partition(":") for one in body.split(";") if ":" in one)
            said = {name.strip(): value.strip() for name, _, value in parts}
            for selector in selectors.split(","):
                if selector.strip() == ":root":
                    sheet.root.update(said)
                elif found := _CLASS.match(selector.strip().removeprefix(f".{scope} ")):
                    sheet.classes.setdefault(found[1], {}).update(said)
    return sheet


def _in_light_mode(text: str) -> str:
    """A style sheet with the first colour of each `light-dark()`."""
    return re.sub(r"light-dark\(((?:[^(),]|\([^()]*\))*),(?:[^()]|\([^()]*\))*\)", r"\1", text)


def _without_blocks(text: str) -> str:
    """A style sheet without rules that hold only in dark mode, on small screens and so on."""
    kept, depth = [], 0
    for part in re.split(r"(@[^{;]+\{|[{}])", text):
        if part.startswith("@") and depth == 0:
            depth = 1
        elif depth:
            depth += part.endswith("{") - (part == "}")
        else:
            kept.append(part)
    return "".join(kept)


class Still(Paper):
    """Writes drawings. Positions and sizes are those of the picture; `kinds` are classes, such as a seat's colour."""

    def __init__(self, sheet: StyleRules, symbols: str, width: float, height: float) -> None:
        self._sheet, self.width, self.height = sheet, width, height
        root = ET.fromstring(f"<svg>{symbols}</svg>")
        self._symbols = {one.get("id", ""): one for one in root.iter() if one.get("id")}
        self._colours: dict[tuple[str, tuple[str, ...]], str] = {}
        self._written: dict[tuple[str, tuple[str, ...]], tuple[str, str]] = {}

    def page(self, parts: Iterable[str], says: str) -> str:
        """The whole picture."""
        ground = self.colour("--paper")
        size = f'width="{self.width:g}" height="{self.height:g}" viewBox="0 0 {self.width:g} {self.height:g}"'
        return (
            f'<svg xmlns="http://www.w3.org/2000/svg" {size} font-family="{FONTS}" role="img" aria-label="{escape(says)}">'
            f'<rect width="100%" height="100%" fill="{ground}"/>{"".join(parts)}</svg>'
        )

    def colour(self, name: str, *kinds: str) -> str:
        """A colour by the name of its variable."""
        key = name, kinds
        if key not in self._colours:
            self._colours[key] = self._resolved(f"var({name})", self._values(kinds))
        return self._colours[key]

    def use(self, symbol: str, x: float, y: float, width: float, height: float, *kinds: str) -> str:
        """A symbol in a box."""
        key = symbol, kinds
        if key not in self._written:  # a board has few symbols, and uses most of them often
            found = self._symbol(self._symbols[f"d-{symbol}"], PLACE, self._values(kinds))
            before, _, after = found.partition(PLACE)
            self._written[key] = before, after
        before, after = self._written[key]
        return f'{before}x="{x:g}" y="{y:g}" width="{width:g}" height="{height:g}"{after}' if after else before

    def drawing(self, element: ET.Element, *kinds: str) -> str:
        """A drawing of a page, an `<svg>` with symbols and classes, as a picture of its own; `kinds` are around it."""
        values = self._values((*kinds, *(element.get("class") or "").split()))
        view, symbol = element.get("viewBox"), self._only_symbol(element)
        if view is None and symbol is not None:
            view = symbol.get("viewBox")
        for one in element.iter():
            if one.tag == "text" and "face" in (element.get("class") or "").split():
                one.attrib |= CARD_TITLE
        around = ET.Element("g", {"class": element.get("class") or ""})
        around.extend(element)
        inside = self._element(around, values)
        clips = "".join(
            self._element(one, values)
            for name, one in self._symbols.items()
            if one.tag == "clipPath" and f"url(#{name})" in inside
        )
        return f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="{view}" font-family="{FONTS}">{clips}{inside}</svg>'

    def _only_symbol(self, element: ET.Element) -> ET.Element | None:
        used = element.find("use")
        return None if used is None else self._symbols[used.get("href", "").removeprefix("#")]

    # How it is done

    def _values(self, kinds: Iterable[str]) -> dict[str, str]:
        return self._values_inside(self._sheet.root, kinds)

    def _values_inside(self, around: Values, kinds: Iterable[str]) -> dict[str, str]:
        """The variables inside an element of these classes."""
        values = dict(around)
        for kind in kinds:
            said = self._sheet.classes.get(kind, {})
            values |= {name: value for name, value in said.items() if name.startswith("--")}
        if "--w" in values:
            values.setdefault("--c", values["--w"])
        return values

    def _resolved(self, value: str, values: Values) -> str:
        for _ in range(8):  # variables that name others
            found = _VARIABLE.search(value)
            if found is None:
                break
            value = value.replace(found[0], values.get(found[1], found[2] or "none"))
        return value.replace("currentColor", values.get("--pen", "#000"))

    def _symbol(self, symbol: ET.Element, place: str, values: Values) -> str:
        if symbol.tag.removeprefix(_NAMESPACE) != "symbol":
            return self._element(symbol, values)
        view = f' viewBox="{symbol.get("viewBox")}"' if symbol.get("viewBox") else ""
        return f"<svg {place}{view}>{''.join(self._element(one, values) for one in symbol)}</svg>"

    def _element(self, element: ET.Element, values: Values) -> str:
        tag, kinds = element.tag.removeprefix(_NAMESPACE), (element.get("class") or "").split()
        own = self._values_inside(values, kinds)
        said = {
            name: value for kind in kinds for name, value in self._sheet.classes.get(kind, {}).items() if name in DRAWN
        }
        said |= {name: value for name, value in element.attrib.items() if name not in ("class", "id", "href")}
        written = "".join(f' {name}="{escape(self._resolved(value, own))}"' for name, value in said.items())
        inside = escape(element.text or "") if tag == "text" else ""
        inside += "".join(self._element(one, own) for one in element)
        if tag == "use":
            symbol = self._symbols[element.get("href", "").removeprefix("#")]
            place = " ".join(
                f'{name}="{element.get(name, default)}"'
                for name, default in (("x", "0"), ("y", "0"), ("width", "100%"), ("height", "100%"))
            )
            drawn = {name: value for name, value in said.items() if name not in ("x", "y", "width", "height")}
            around = "".join(f' {name}="{escape(self._resolved(value, own))}"' for name, value in drawn.items())
            return f"<g{around}>{self._symbol(symbol, place, own)}</g>"
        if tag == "clipPath":
            return f'<clipPath id="{element.get("id")}">{inside}</clipPath>'
        return f"<{tag}{written}>{inside}</{tag}>"
