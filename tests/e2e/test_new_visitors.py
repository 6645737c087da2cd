"""New visitors can play with one click, with and without JavaScript."""

import random

import pytest

from signoria.server.play.guided_game import guided_games
from tests.e2e.conftest import Arrive
from tests.e2e.visitors import PATIENCE, POSSIBLE

NAMES = ["patrician", "il-principe"]
LESSONS = """(patience) => new Promise((resolve, reject) => {
  let frame = 0;
  const met = [], decides = "#table.my-turn, #coach form:is([action='/learn'], [action='/play-now']) button";
  const covered = (lesson) => {
    const form = document.querySelector("#coach form")?.getBoundingClientRect(), words = document.createRange();
    words.selectNodeContents(lesson.querySelector("p"));
    return form && [...words.getClientRects()].some(({ left, right, top, bottom }) => left < form.right && right > form.left && top < form.bottom - 1 && bottom > form.top + 1);
  };
  const look = () => {
    frame = 0;
    const lesson = document.querySelector("#coach .lesson");
    if (lesson) met.push([lesson.innerText, Boolean(covered(lesson))]);
    if (lesson && document.querySelector(decides)) end(resolve, met);
  };
  const observer = new MutationObserver(() => (frame ||= requestAnimationFrame(look)));
  const late = setTimeout(() => end(reject, new Error("nothing can be done")), patience);
  const end = (how, what) => { observer.disconnect(); cancelAnimationFrame(frame); clearTimeout(late); how(what); };
  observer.observe(document, { subtree: true, childList: true, attributes: true, characterData: true });
  look();
})"""
"""Wait until there is something to do; return the lessons until then, and whether the button of each lies on its words."""


@pytest.mark.parametrize("game", NAMES)
def test_new_visitor_plays_with_one_click(arrive: Arrive, game: str) -> None:
    newcomer = arrive()
    newcomer.go("/")
    newcomer.page.locator(f"form.{game} button.main").click()
    newcomer.see("#table.my-turn #hand")
    newcomer.see("#asked", "Your turn")
    before = newcomer.n
    assert newcomer.step(random.Random(1)) > before
    newcomer.see("#log li")


@pytest.mark.parametrize("game", sorted(guided_games()))
@pytest.mark.parametrize("size", [{"width": 1280, "height": 900}, {"width": 390, "height": 844}], ids=["wide", "phone"])
def test_guided_game_can_be_played_by_following_the_marks(arrive: Arrive, game: str, size: dict[str, int]) -> None:
    learner, dice, said = arrive(viewport=size), random.Random(3), set()
    learner.go("/")
    learner.page.locator(f"form.{game} button[formaction='/learn']").click()
    learner.see("#coach", "Welcome")
    while True:
        lessons = learner.page.evaluate(LESSONS, PATIENCE)
        assert [words for words, covered in lessons if covered] == []
        said |= {words for words, _ in lessons}
        if learner.page.locator("#coach form[action='/play-now'] button").count():
            break  # at the end, or once every lesson was given
        if learner.page.locator("#coach form[action='/learn']").count():
            learner.press("Continue the lesson")
            learner.see("#coach", "end of another game")
            continue
        before, marked = learner.n, learner.page.locator(f"#steps {POSSIBLE}[data-taught]:visible")
        if marked.count():
            marked.nth(dice.randrange(marked.count())).click()
            learner.follows(before + 1)
        else:
            learner.step(dice)
    assert len(said) >= 4
    learner.see("#coach summary", "Hide the lessons").click()
    assert learner.page.locator("#coach .lesson:visible").count() == 0
    learner.see("#coach summary", "Show the lessons").click()
    learner.press("Play a full game")
    learner.see("#table.is-playing #hand")
    assert learner.page.locator("#coach").count() == 0


@pytest.mark.parametrize("game", NAMES)
def test_without_javascript_every_move_is_a_form(arrive: Arrive, game: str) -> None:
    newcomer, dice = arrive(java_script_enabled=False), random.Random(2)
    newcomer.go("/")
    newcomer.page.locator(f"form.{game} button.main").click()
    newcomer.see("#table")
    known = 0
    for _ in range(6):
        newcomer.page.reload()  # bots move meanwhile, and a page without JavaScript does not update
        while not newcomer.page.locator("#table.my-turn").count():
            newcomer.page.reload()
        assert newcomer.n >= known
        known = newcomer.n + 1
        possible = newcomer.page.locator("#steps button.can[name=step]:visible")
        with newcomer.page.expect_navigation():
            if possible.count():
                possible.nth(dice.randrange(possible.count())).click()
            else:
                newcomer.lay(dice)
        assert newcomer.n >= known
    newcomer.page.locator("#chat-text").fill("Good day to everybody")
    newcomer.press("Send")
    newcomer.see("#chat", "Good day to everybody")


def test_errors_on_a_page_are_detected(arrive: Arrive) -> None:
    visitor = arrive()
    visitor.go("/")
    for spoil, noticed in (
        (
            "document.body.append(Object.assign(document.createElement('script'), { text: 'spoilt = 1' }))",
            "Content Security",
        ),
        ("setTimeout(() => { throw new Error('spoilt') })", "spoilt"),
        ("void fetch('http://127.0.0.2:9/').catch(() => null)", "127.0.0.2"),
    ):
        visitor.page.evaluate(spoil)
        while not any(noticed in sentence for sentence in visitor.wrong):
            visitor.page.wait_for_timeout(20)
    assert visitor.page.evaluate("typeof spoilt") == "undefined"
    visitor.wrong.clear()
