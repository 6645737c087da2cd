"""axe on pages: every rule in English, and in the other languages those that a translation can break."""

import os
from collections.abc import Iterable, Iterator
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
CONTRAST = ("color-contrast",)
LOOKS: list[tuple[Literal["light", "dark"], dict[str, Any]]] = [("light", DESKTOP), ("dark", PHONE)]
"""Colours do not depend on the size of the screen, so each theme is checked once."""
PREPARE = """() => {
  for (const one of document.querySelectorAll("details")) one.open = true;
  const plain = new CSSStyleSheet();
  plain.replaceSync("* { background-image: none !important; }");
  document.adoptedStyleSheets.push(plain);
}"""
"""Open all foldable parts, and take away the faint lines of the paper: axe measures no text on a gradient."""
RUN = """async ([rules, kinds]) => {
  const { violations, passes } = await axe.run(kinds ? { include: longest() } : document, { resultTypes: ["violations"], runOnly: rules });
  return [passes.length, violations.flatMap(({ nodes }) => nodes.map(({ html, failureSummary }) => `${html}: ${failureSummary}`))];
  function longest() {
    const paths = new Map(), found = new Map(), texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
    const path = (one) => {
      if (one === document.body) return "";
      if (!paths.has(one)) paths.set(one, `${path(one.parentElement)}>${one.tagName}.${["class", "fill", "style"].map((name) => one.getAttribute(name))}${one.matches(":disabled, [aria-disabled=true]")}`);
      return paths.get(one);
    };
    while (texts.nextNode()) {
      const { data, parentElement: one } = texts.currentNode, length = data.trim().length;
      if (length && one.checkVisibility() && !(found.get(path(one))?.length >= length)) found.set(path(one), { one, length });
    }
    return [...found.values()].map(({ one }) => one);
  }
}"""
"""With `kinds`, only the longest text of each kind: elements with the same path of tags, classes and styles have the same colours,
and the longest text is the one that a translation may push out of its background.
"""


def errors_on(page: Page, language: str = ENGLISH) -> Iterator[str]:
    """What axe finds on the current page in both themes, with all foldable parts open.

    English is looked at on both screens; of the other languages, every second on the phone and the rest on the desktop.
    """
    assert page.locator("html").get_attribute("lang") == language
    page.evaluate(PREPARE)
    page.evaluate(AXE_SCRIPT)
    one_screen = LOOKS[OTHERS.index(language) % 2][1] if language in OTHERS else None
    for scheme, screen in LOOKS:
        page.set_viewport_size((one_screen or screen)["viewport"])
        page.emulate_media(color_scheme=scheme, reduced_motion="reduce")
        if one_screen is None:
            passed, errors = page.evaluate(RUN, [ALL_RULES, False])
            assert passed > 8  # axe did run
        else:
            passed, errors = page.evaluate(RUN, [CONTRAST, True])
            assert passed == 1
            if scheme == "light":
                passed, names = page.evaluate(RUN, [NAMES, False])
                assert passed > 4
                errors += names
        for error in errors:
            yield f"{page.url} {language} {scheme}: {error}"


def read_in(visitor: Visitor, language: str) -> None:
    """From now on, pages speak this language."""
    visitor.context.add_cookies([{"name": "language", "value": language, "url": visitor.address}])


def check(visitor: Visitor, *paths: str, languages: Iterable[str] = LANGUAGES) -> None:
    """axe finds nothing on these pages, in every language and in both themes."""
    for language in languages if not os.environ.get("XENG") else ["en"]:
        read_in(visitor, language)
        for path in paths:
            visitor.go(path)
            assert list(errors_on(visitor.page, language)) == []
    read_in(visitor, ENGLISH)
