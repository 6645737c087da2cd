"""Names of people."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from signoria.bots.levels import LEVELS
from signoria.server.errors import BadField
from signoria.server.people.names import clean_name, made_up_name


@pytest.mark.parametrize(
    ("typed", "name"),
    [
        ("Ann", "Ann"),
        ("  Ann   of  Siena ", "Ann of Siena"),
        ("Nicolo\u0300", "Nicolò"),
        ("李", "李"),
        ("7", "7"),
        ("x" * 24, "x" * 24),
        ("Ａｎｎ", "Ann"),
        ("O'Neil", "O'Neil"),
        ("D’Artagnan", "D’Artagnan"),
        ("Jean-Luc", "Jean-Luc"),
        ("Nguyễn Thị Ánh", "Nguyễn Thị Ánh"),
        ("Νίνα", "Νίνα"),
        ("Ольга 2", "Ольга 2"),
        ("יוסי", "יוסי"),
        ("محمد", "محمد"),
        ("सुनीता", "सुनीता"),
        ("สมชาย", "สมชาย"),
        ("김민수", "김민수"),
        ("東京のKen", "東京のKen"),
    ],
)
def test_names_are_normalised(typed: str, name: str) -> None:
    assert clean_name(typed) == name


@pytest.mark.parametrize(
    ("typed", "says"),
    [
        ("", "1 to 24"),
        ("   ", "1 to 24"),
        ("x" * 25, "this one has 25"),
        ("x" * 100_000, "1 to 24"),
        ("Ann\x00", "invisible characters"),
        ("Ann\n1", "invisible characters"),
        ("Ann\u202enna", "invisible characters"),
        ("Ann\u2066", "invisible characters"),
        ("\u200bAnn", "invisible characters"),
        ("Ann\ud800", "invisible characters"),
        ("Anna\u3164", "invisible characters"),
        ("\u3164", "invisible characters"),
        ("\u115f\u1160", "invisible characters"),
        ("Anna\uffa0", "invisible characters"),
        ("\u2800", "invisible characters"),
        ("<b>Ann</b>", r"cannot contain < \(U\+003C\)"),
        ("Ann \U0001f600", r"cannot contain . \(U\+1F600\)"),
        ("\u0301Ann", "an accent without a letter"),
        ("Ann \u0301", "an accent without a letter"),
        ("\u0410nna", "mixes Cyrillic and Latin"),
        ("김ア", "mixes Hangul and Katakana"),
        ("1\u0661", "digits"),
        ("a\u0301\u0302\u0303\u0304", r"A letter can have at most 2 accents\."),
        ("...", "letter or digit"),
        ("the HOUSE", "a bot or of the server"),
        ("Ｓｉｇｎｏｒｉａ", "a bot or of the server"),
        ("Arch1tetto", "a bot or of the server"),
        ("Il Server", "a bot or of the server"),
        ("Modérateur", "a bot or of the server"),
        ("Moderatorin", "a bot or of the server"),
        ("beheerder", "a bot or of the server"),
        ("Quelqu’un", "a bot or of the server"),
        ("Freier Platz", "a bot or of the server"),
        ("\u0392\u039f\u03a4", "a bot or of the server"),  # BOT in Greek letters
    ],
)
def test_invalid_names_are_rejected(typed: str, says: str) -> None:
    with pytest.raises(BadField, match=says) as refused:
        clean_name(typed, "name-2")
    assert refused.value.field == "name-2"


@pytest.mark.parametrize("level", LEVELS)
def test_names_that_look_like_a_bot_are_rejected(level: object) -> None:
    for name in (level.id, level.title):  # type: ignore[attr-defined]
        with pytest.raises(BadField):
            clean_name(name)


def test_generated_guest_names_are_valid() -> None:
    names = {made_up_name() for _ in range(200)}
    assert len(names) > 150
    assert {clean_name(name) for name in names} == names


@given(st.text())
def test_any_text_becomes_a_clean_name_or_is_rejected(typed: str) -> None:
    try:
        name = clean_name(typed)
    except BadField:
        return
    assert clean_name(name) == name
    assert name.isprintable() or " " in name
