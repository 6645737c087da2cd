"""Documents agree with the code and the data."""

import json
import re
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
GOLDEN = sorted((ROOT / "tests" / "golden").glob("*.jsonl"))


def test_generated_documents_are_up_to_date() -> None:
    made = subprocess.run(
        [sys.executable, "docs/make_docs.py", "--check"], cwd=ROOT, capture_output=True, text=True, check=False
    )
    assert made.returncode == 0, made.stderr


@pytest.mark.parametrize("golden", GOLDEN, ids=lambda path: path.stem)
def test_program_in_fair_shuffles_makes_the_same_deals(golden: Path) -> None:
    """The program shares no code with ours, so the document alone is enough to check a deal."""
    text = (ROOT / "docs" / "fair-shuffles.md").read_text("utf-8")
    program = "\n".join(line[4:] for line in text.splitlines() if line.startswith("    "))
    exec(program, {"r": json.loads(golden.read_bytes())})


def test_links_lead_to_existing_files() -> None:
    for document in (*ROOT.glob("*.md"), *(ROOT / "docs").glob("*.md")):
        text = re.sub(r"^```.*?^```$", "", document.read_text("utf-8"), flags=re.M | re.S)  # code has no links
        for link in re.findall(r"\]\(([^)#]+)\)", text):
            assert "://" in link or (document.parent / link).exists(), f"{document.name}: {link}"


def test_modules_named_in_the_documents_exist() -> None:
    """Such as `server/play/service.py`, which is in `src/signoria`, or `tests/volume.py`."""
    for document in (*ROOT.glob("*.md"), *(ROOT / "docs").glob("*.md")):
        for name in re.findall(r"`((?:\w+/)+(?:\w+\.py)?)`", document.read_text("utf-8")):
            source = ROOT / "src" / "signoria"
            places = (ROOT, source, source / "server", source / "games", *(source / "games").iterdir())
            assert any((place / name).exists() for place in places), f"{document.name}: {name}"


def test_every_clause_has_a_test_named_for_it() -> None:
    tests = "".join(path.read_text("utf-8") for path in (ROOT / "tests").rglob("test_*.py")).lower()
    rules = (ROOT / "docs" / "rules.md").read_text("utf-8")
    missing = [
        clause for clause in re.findall(r"^- \*\*([A-Z]\d+)", rules, re.M) if f"def test_{clause.lower()}_" not in tests
    ]
    assert not missing
