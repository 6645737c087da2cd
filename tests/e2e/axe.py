"""axe on pages: every rule in English, and in the other languages those that a translation can break."""

from collections.abc import Collection, Iterator, Sequence
from typing import Any, Literal

from axe_playwright_python.base import AXE_SCRIPT  # type: ignore[import-untyped]
from playwright.sync_api import Page

from signoria.kernel.language import ENGLISH, LANGUAGES
from tests.e2e.screens import DESKTOP, PHONE
from tests.e2e.visitors import Visitor

ALL_RULES = ("wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "best-practice")
NAMES = (
    *("html-has-lang", "html-lang-valid", "valid-lang", "document-title", "empty-heading", "landmark-unique"),
    *("button-name", "input-button-name", "link-name", "select-name", "summary-name", "frame-title"),
    *("label", "label-title-only", "form-field-multiple-labels", "empty-table-header", "table-duplicate-name"),
    *("aria-command-name", "aria-dialog-name", "aria-input-field-name", "aria-meter-name", "aria-progressbar-name"),
    *("aria-toggle-field-name", "aria-tooltip-name", "image-alt", "image-redundant-alt", "role-img-alt", "svg-img-alt"),
)
"""Rules about texts and languages. Other rules are about structure, which is the same in every language."""
OTHERS = [name for name in LANGUAGES if name != ENGLISH]
CONTRAST, NIGHT = "color-contrast", "contrast-at-night"
LOOKS: list[tuple[Literal["light", "dark"], dict[str, Any]]] = [("light", DESKTOP), ("dark", PHONE)]
"""Colours do not depend on the size of the screen, so each theme is checked once."""
PREPARE = """() => {
  for (const one of document.querySelectorAll("details")) one.open = true;
  const plain = new CSSStyleSheet();
  plain.replaceSync("* { background-image: none !important; }");
  document.adoptedStyleSheets = [plain];
}"""
"""Open all foldable parts, and take away the faint lines of the paper: axe measures no text on a gradient."""
SHOW = """async (path) => {
  const page = new DOMParser().parseFromString(await (await fetch(path)).text(), "text/html"), sheets = "link[rel=stylesheet]";
  const styles = [...page.querySelectorAll(sheets)], before = [...document.querySelectorAll(sheets)];
  const same = styles.map(({ outerHTML }) => outerHTML).join() === before.map(({ outerHTML }) => outerHTML).join();
  for (const { name, value } of page.documentElement.attributes) document.documentElement.setAttribute(name, value);
  document.title = page.title;
  document.body.remove();
  if (!same) {
    const links = styles.map((one) => document.adoptNode(one));
    const loaded = links.map((one) => new Promise((done) => one.addEventListener("load", done)));
    for (const one of before) one.remove();
    document.head.append(...links);
    await Promise.all(loaded);
  }
  document.documentElement.append(document.adoptNode(page.body));
}"""
"""Show a page without its scripts, in a document that stays: axe is loaded only once, and styles once for each page."""
QUIET = "/offline"
"""A page of ours that does not update itself."""
RUN = """async ([rules, all]) => {
  const backs = new Map(), found = new Map(), texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  const back = (one) => {
    if (!one) return "";
    if (!backs.has(one)) {
      const { backgroundColor: colour, opacity } = getComputedStyle(one), solid = /^rgb\\(/.test(colour);
      backs.set(one, `${solid ? "" : back(one.parentElement)} ${colour} ${opacity}`);
    }
    return backs.get(one);
  };
  const kind = (one) => {
    const { color, fill, fontSize, fontWeight } = getComputedStyle(one), { tagName, parentElement } = one;
    return [tagName, one.getAttribute("class"), parentElement.tagName, parentElement.getAttribute("class"), color, fill, fontSize, fontWeight, back(one)].join();
  };
  for (const one of document.querySelectorAll("[data-longest]")) one.removeAttribute("data-longest");
  while (texts.nextNode()) {
    const { data, parentElement: one } = texts.currentNode, length = data.trim().length;
    if (!length || !one.checkVisibility()) continue;
    const like = kind(one);
    if (!(found.get(like)?.length >= length)) found.set(like, { one, length });
  }
  for (const { one } of found.values()) one.setAttribute("data-longest", "");
  const { checks, data } = axe._audit, root = document.documentElement, id = "contrast-at-night";
  const forget = (one) => { one._cache = {}; delete one._stackingContext; one.children.forEach(forget); };
  function evaluate(node, options, virtual) {
    if (root.dataset.theme !== "dark") {
      root.dataset.theme = "dark";
      axe._tree.forEach(forget);
      for (const one of axe._memoizedFns) one.clear();
    }
    return checks["color-contrast"].evaluate.call(this, node, checks["color-contrast"].getOptions(), virtual);
  }
  axe.configure({
    checks: [{ id, evaluate, metadata: data.checks["color-contrast"] }],
    rules: [
      { id: "color-contrast", selector: all ? "*" : "[data-longest]" },
      { id, selector: "[data-longest]", matches: "color-contrast-matches", any: [id], excludeHidden: false, enabled: false },
    ],
  });
  const { violations, passes } = await axe.run({ resultTypes: ["violations"], runOnly: rules });
  delete root.dataset.theme;
  const errors = violations.flatMap(({ id, nodes }) => nodes.map(({ html, failureSummary }) => `${id}: ${html}: ${failureSummary}`));
  return [passes.map(({ id }) => id), errors];
}"""
"""Without `all`, contrast is measured for the longest text of each kind. Texts of one kind are in the same element with the
same classes, colours and letters. The longest is the one that a translation may push out of its background.

The rule `contrast-at-night` runs last. It switches the page to the dark theme, makes axe forget all colours and measures contrast
again. This saves half of the time: axe mostly finds out where everything is on the page, which is the same in both themes.
"""


def errors_on(page: Page, language: str = ENGLISH) -> Iterator[str]:
    """What axe finds on the current page in both themes, with all foldable parts open.

    English is looked at on both screens; of the other languages, every second on the phone and the rest on the desktop.
    """
    assert page.locator("html").get_attribute("lang") == language
    page.evaluate(PREPARE)
    if not page.evaluate("() => globalThis.axe !== undefined"):
        page.evaluate(AXE_SCRIPT)
    if language != ENGLISH:
        yield from _errors(page, [*NAMES, CONTRAST, NIGHT], language)
        return
    for number, (scheme, screen) in enumerate(LOOKS):
        _look(page, scheme, screen)
        yield from _errors(page, ALL_RULES, f"{language} {scheme}", all_texts=number == 0)


def _look(page: Page, scheme: Literal["light", "dark"], screen: dict[str, Any]) -> None:
    page.set_viewport_size(screen["viewport"])
    page.emulate_media(color_scheme=scheme, reduced_motion="reduce")


def _errors(page: Page, rules: Sequence[str], where: str, *, all_texts: bool = False) -> Iterator[str]:
    passed, errors = page.evaluate(RUN, [rules, all_texts])
    assert CONTRAST in passed or "html-has-lang" in passed  # axe did run
    assert NIGHT not in rules or (CONTRAST in passed) == (NIGHT in passed)
    for error in errors:
        yield f"{page.url} {where}: {error}"


def read_in(visitor: Visitor, language: str) -> None:
    """From now on, pages speak this language."""
    visitor.context.add_cookies([{"name": "language", "value": language, "url": visitor.address}])


def check(visitor: Visitor, *paths: str, languages: Collection[str] = LANGUAGES) -> None:
    """axe finds nothing on these pages, in every language and in both themes.

    English pages are opened as a person opens them; pages in other languages are shown as the server sends them.
    """
    for path in paths:
        visitor.go(path)
        assert list(errors_on(visitor.page)) == []
    check_translations(visitor, *paths, languages=languages)


def check_translations(visitor: Visitor, *paths: str, languages: Collection[str] = LANGUAGES) -> None:
    """axe finds nothing on these pages in the other languages, in both themes."""
    if set(languages) == {ENGLISH}:
        return
    visitor.go(QUIET)
    for number, (_, screen) in enumerate(LOOKS):
        _look(visitor.page, "light", screen)
        for path in paths:
            for language in OTHERS[number :: len(LOOKS)]:
                read_in(visitor, language)
                visitor.page.evaluate(SHOW, path)
                assert list(errors_on(visitor.page, language)) == [], path
    read_in(visitor, ENGLISH)
