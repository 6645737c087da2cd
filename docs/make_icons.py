"""Draws the icons of the site and of the installed app: `make icons`. They change only if the emblem does."""

import shutil
from pathlib import Path

from playwright.sync_api import sync_playwright

from signoria.web.kit.emblem import emblem, silhouette

STATIC = Path(__file__).parents[1] / "src/signoria/web/static"
SAFE = 0.72
"""The share of a maskable icon that is never cut off holds the towers."""
DRAWINGS = {"favicon.svg": emblem(), "favicon-turn.svg": emblem(spot=True)}
PICTURES = {
    "icons/icon-192.png": (emblem(), 192),
    "icons/icon-512.png": (emblem(), 512),
    "icons/maskable-512.png": (emblem(corner=0, scale=SAFE), 512),
    "icons/apple-180.png": (emblem(corner=0, scale=0.9), 180),
    "icons/badge-96.png": (silhouette(), 96),
}


def main() -> None:
    """Write all icons."""
    (STATIC / "icons").mkdir(exist_ok=True)
    for name, drawing in DRAWINGS.items():
        (STATIC / name).write_text(drawing + "\n")
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=shutil.which("chromium"), args=["--no-sandbox"])
        for name, (drawing, size) in PICTURES.items():
            page = browser.new_page(viewport={"width": size, "height": size})
            sized = drawing.replace("<svg ", f'<svg width="{size}" height="{size}" ', 1)
            page.set_content(f'<body style="margin:0">{sized.replace("<svg ", "<svg style=display:block ", 1)}')
            page.screenshot(path=STATIC / name, omit_background=True)
            page.close()
        browser.close()


if __name__ == "__main__":
    main()
