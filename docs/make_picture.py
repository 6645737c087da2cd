"""Takes the picture of the README: a game of Patrician in a real browser, some turns in.

make picture
"""

import os
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path
from random import Random

from playwright.sync_api import Page, ViewportSize, sync_playwright

HERE = Path(__file__).parent
SIZE: ViewportSize = {"width": 1440, "height": 1010}
TURNS = range(24, 29)
"""Some time in the middle of a game of 48 turns."""
FORM: dict[str, str | float | bool] = {
    "seats": "4",
    "messengers": "on",
    "clock": "0",
    "stand_in": "muratore",
    "access": "open",
    "game": "patrician",
}
SEATS: dict[str, str | float | bool] = {
    "seat-0": "me",
    "seat-1": "apprendista",
    "seat-2": "muratore",
    "seat-3": "capomastro",
}


def main() -> None:
    """Open a house, play in it, take the picture."""
    with tempfile.TemporaryDirectory() as folder:
        serve = [sys.executable, "-m", "signoria", "serve", "--port", "0", "--database", f"{folder}/picture.db"]
        house = subprocess.Popen(serve, stdout=subprocess.PIPE, text=True, env=os.environ | {"SIGNORIA_PACE": "0"})
        try:
            assert house.stdout is not None
            address = next(word for word in house.stdout.readline().split() if word.startswith("http"))
            with sync_playwright() as playwright:
                browser = playwright.chromium.launch(executable_path=shutil.which("chromium"), args=["--no-sandbox"])
                page = browser.new_page(viewport=SIZE, device_scale_factor=1)
                page.goto(address)
                opened = page.request.post(f"{address}tables", form=FORM | SEATS, headers={"origin": address[:-1]})
                page.request.post(f"{address}account/name", form={"name": "Lucrezia"}, headers={"origin": address[:-1]})
                page.goto(opened.url)
                play(page, Random(8))
                page.evaluate("scrollTo(0, 0)")
                page.screenshot(path=HERE / "table.png")
                browser.close()
        finally:
            house.terminate()
            house.wait()


def play(page: Page, rng: Random) -> None:
    """Make steps until the picture is lively, and it is one's own turn to build."""
    for _ in range(400):
        buttons = page.locator("#table button.can:visible")
        buttons.first.wait_for()
        chapter = page.locator("#table").inner_text()
        if any(f"Turn {turn} " in chapter for turn in TURNS) and "Which card do you play" in chapter:
            return
        version = page.locator("#table").get_attribute("data-version")
        buttons.nth(rng.randrange(buttons.count())).click()
        page.wait_for_selector(f'#table:not([data-version="{version}"])')


if __name__ == "__main__":
    main()
