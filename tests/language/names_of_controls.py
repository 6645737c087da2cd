"""Finds controls and pictures without a name in the HTML of a page, as a translation could leave them."""

from html.parser import HTMLParser

NAMED_BY_TEXT = {"a", "button", "summary", "h1", "h2", "h3", "label", "legend", "option", "th", "title"}
NAMES = ("aria-label", "title", "alt")
VOID = {"meta", "link", "input", "br", "img", "hr"}


class Names(HTMLParser):
    """Collects the elements of a page that need a name and have none."""

    def __init__(self, page: str) -> None:
        super().__init__()
        self.unnamed: list[str] = []
        self.headings = 0
        self._labelled = set[str]()
        self._fields: list[tuple[str, bool]] = []
        self._open: list[tuple[str, dict[str, str | None], list[str]]] = []
        self.feed(page)
        self.close()
        self.unnamed += [name for name, named in self._fields if not named and name not in self._labelled]

    def handle_starttag(self, tag: str, attributes: list[tuple[str, str | None]]) -> None:
        given = dict(attributes)
        self.headings += tag == "h1"
        self.unnamed += [f"<{tag} {name}>" for name in NAMES if name in given and not (given[name] or "").strip()]
        if tag == "label" and given.get("for"):
            self._labelled.add(given["for"] or "")
        if tag in ("input", "select", "textarea") and given.get("type") not in ("hidden", "submit"):
            inside = any(open_tag == "label" for open_tag, _, _ in self._open)
            self._fields.append((given.get("id") or given.get("name") or tag, inside or "aria-label" in given))
        if given.get("role") == "img" and not any(given.get(name) for name in NAMES):
            self.unnamed.append(f"<{tag} role=img>")
        if tag not in VOID:
            self._open.append((tag, given, []))

    def handle_data(self, data: str) -> None:
        for _, _, words in self._open:
            words.append(data)

    def handle_endtag(self, tag: str) -> None:
        while self._open:
            opened, given, words = self._open.pop()
            named = "".join(words).strip() or any(given.get(name) for name in NAMES) or "aria-labelledby" in given
            if opened in NAMED_BY_TEXT and not named and given.get("value") != "":
                self.unnamed.append(f"<{opened} {given}>")
            if opened == tag:
                break
