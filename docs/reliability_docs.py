"""Writes the results of `make soak` (docs/reliability/campaign.json) into docs/reliability.md as a table."""

from pathlib import Path

import msgspec

from signoria.soak.report import Report, as_markdown, failures_of

HERE = Path(__file__).parent
BEGIN = "<!-- Made by docs/make_docs.py from docs/reliability/campaign.json. -->\n"
END = "<!-- The end of it. -->\n"


def reliability_md() -> str:
    """The document with the table of the latest campaign."""
    text = (HERE / "reliability.md").read_text("utf-8")
    before, _, rest = text.partition(BEGIN)
    report = msgspec.json.decode((HERE / "reliability" / "campaign.json").read_bytes(), type=Report)
    return f"{before}{BEGIN}\n{_results(report)}\n{END}{rest.partition(END)[2]}"


def _results(report: Report) -> str:
    stopped = " It was stopped early." if report.stopped else ""
    text = (
        f"`signoria soak --scale {report.scale:g} --seed {report.seed}` on {report.machine}, "
        f"{report.seconds / 60:.0f} minutes.{stopped}\n\n{as_markdown(report.rows, commands=True)}"
    )
    if failures := failures_of(report.rows):
        text += "\nFailures, the first few of each row:\n\n" + "".join(f"- {one}\n" for one in failures)
    return text
