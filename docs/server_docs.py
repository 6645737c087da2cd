"""Writes the results of `make bench-server` (docs/performance/server.json) into docs/performance.md as a table."""

from pathlib import Path

import msgspec

from signoria.server.bench.figures import Figures, as_table

HERE = Path(__file__).parent
BEGIN = "<!-- Made by docs/make_docs.py from docs/performance/server.json. -->\n"
END = "<!-- The end of it. -->\n"


def performance_md() -> str:
    """The document with the latest measurements of the server."""
    text = (HERE / "performance.md").read_text("utf-8")
    before, _, rest = text.partition(BEGIN)
    figures = msgspec.json.decode((HERE / "performance" / "server.json").read_bytes(), type=Figures)
    return f"{before}{BEGIN}\n{_measured(figures)}\n{END}{rest.partition(END)[2]}"


def _measured(figures: Figures) -> str:
    return (
        f"`make bench-server`, on {figures.machine}: {figures.tables} live tables with two people each, half of them "
        f"Patrician and half Il Principe,\n{2 * figures.tables} live pages.\n\n{as_table(figures)}"
    )
