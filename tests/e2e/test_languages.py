"""Pages in a language with long words: nothing is wider than its place, and a reader can choose a language."""

from typing import Any

import pytest
from playwright.sync_api import expect

from signoria.games import GAMES
from signoria.kernel.language import PSEUDO
from tests.e2e.conftest import Arrive
from tests.e2e.visitors import Visitor

PHONE: dict[str, Any] = {"viewport": {"width": 390, "height": 844}, "has_touch": True}
DESKTOP: dict[str, Any] = {"viewport": {"width": 1440, "height": 900}}
SCREENS = pytest.mark.parametrize("screen", [PHONE, DESKTOP], ids=["phone", "desktop"])
PAGES = (
    "/",
    "/tables",
    "/tables/new",
    "/sign-in",
    "/ratings",
    "/programs",
    *(f"/rules/{game}{part}" for game in GAMES for part in ("", "/full", "/rulings")),
)
TOO_WIDE = """() => {
  const page = document.documentElement, wide = [];
  if (page.scrollWidth > page.clientWidth)
    for (const one of document.body.querySelectorAll("*")) {
      const { right, width } = one.getBoundingClientRect();
      if (width && one.checkVisibility() && right > page.clientWidth + 1 && !one.closest(".scroll, .skip, svg")) wide.push(`${one.tagName} ${one.id} ${one.className} widens the page`);
    }
  if (page.scrollWidth > page.clientWidth && !wide.length) wide.push("the page");
  for (const one of document.querySelectorAll("button, .button, summary, h1, h2, h3, label, legend, th, .panel")) {
    const { overflowX, textOverflow, position } = getComputedStyle(one), box = one.getBoundingClientRect();
    if (!box.width || !one.checkVisibility() || one.closest(".hidden, .scroll, [popover], .skip") || position === "absolute") continue;
    if (box.right > page.clientWidth + 1) wide.push(`${one.tagName} ${one.id} ${one.textContent.trim().slice(0, 60)} sticks out`);
    if (overflowX === "hidden" && textOverflow !== "ellipsis" && one.scrollWidth > one.clientWidth + 1)
      wide.push(`${one.tagName} ${one.id} ${one.textContent.trim().slice(0, 60)} is cut off`);
  }
  return wide;
}"""


def read(visitor: Visitor, language: str) -> None:
    """Choose a language, as its cookie keeps it."""
    visitor.go("/")
    visitor.context.add_cookies([{"name": "language", "value": language, "url": visitor.page.url}])
    visitor.go("/")
    expect(visitor.page.locator("html")).to_have_attribute("lang", language)


def fits(visitor: Visitor) -> None:
    assert (visitor.page.url, visitor.page.evaluate(TOO_WIDE)) == (visitor.page.url, [])


@SCREENS
def test_long_texts_fit_on_every_page(arrive: Arrive, screen: dict[str, Any]) -> None:
    visitor = arrive(**screen)
    read(visitor, PSEUDO)
    for path in PAGES:
        visitor.page.goto(path)
        fits(visitor)


@pytest.mark.parametrize("game", GAMES)
@SCREENS
def test_long_texts_fit_at_a_table(arrive: Arrive, screen: dict[str, Any], game: str) -> None:
    visitor = arrive(**screen)
    read(visitor, PSEUDO)
    visitor.page.locator(f"form.{game} button.main").click()
    visitor.see("#table #board")
    fits(visitor)


def test_reader_chooses_a_language_in_the_header(arrive: Arrive) -> None:
    visitor = arrive(locale="fr-FR")
    visitor.go("/ratings")
    expect(visitor.page.locator("html")).to_have_attribute("lang", "fr")
    visitor.page.locator("#languages summary").click()
    visitor.page.locator('#languages button[value="it"]').click()
    expect(visitor.page.locator("html")).to_have_attribute("lang", "it")
    assert visitor.page.url.endswith("/ratings")
