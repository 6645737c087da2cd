"""Names of people."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from signoria.bots.levels import LEVELS
from signoria.server.errors import BadField
from signoria.server.gate.names import clean_name, made_up_name


@pytest.mark.parametrize(
    ("typed", "name"),
    [
        ("Ann", "Ann"),
        ("  Ann   of  Siena ", "Ann of Siena"),
        ("Nicolo\u0300", "Nicolò"),
        ("李", "李"),
        ("7", "7"),
        ("x" * 24, "x" * 24),
        ("<b>Ann</b>", "<b>Ann</b>"),
    ],
)
def test_names_are_kept_as_people_mean_them(typed: str, name: str) -> None:
    assert clean_name(typed) == name


@pytest.mark.parametrize(
    ("typed", "says"),
    [
        ("", "1 to 24 letters"),
        ("   ", "1 to 24 letters"),
        ("x" * 25, "this one has 25"),
        ("x" * 100_000, "1 to 24 letters"),
        ("Ann\x00", "can be seen"),
        ("Ann\n1", "can be seen"),
        ("Ann\u202enna", "can be seen"),
        ("Ann\u2066", "can be seen"),
        ("\u200bAnn", "can be seen"),
        ("Ann\ud800", "can be seen"),
        ("a\u0301\u0302\u0303\u0304", "2 accents"),
        ("...", "letter or figure"),
        ("the HOUSE", "somebody of the house"),
        ("Ｓｉｇｎｏｒｉａ", "somebody of the house"),
        ("Arch1tetto", "somebody of the house"),
    ],
)
def test_names_that_nobody_can_have(typed: str, says: str) -> None:
    with pytest.raises(BadField, match=says) as refused:
        clean_name(typed, "name-2")
    assert refused.value.field == "name-2"


@pytest.mark.parametrize("level", LEVELS)
def test_nobody_is_called_like_a_bot(level: object) -> None:
    for name in (level.id, level.title):  # type: ignore[attr-defined]
        with pytest.raises(BadField):
            clean_name(name)


def test_made_up_names_are_names() -> None:
    names = {made_up_name() for _ in range(200)}
    assert len(names) > 150
    assert {clean_name(name) for name in names} == names


@given(st.text())
def test_whatever_is_typed_is_a_clean_name_or_refused(typed: str) -> None:
    try:
        name = clean_name(typed)
    except BadField:
        return
    assert clean_name(name) == name
    assert name.isprintable() or " " in name
