"""`verify` detects any change to a record."""

from collections.abc import Iterator
from pathlib import Path
from random import Random
from typing import Any

import msgspec
import pytest

from signoria import BadRecord, from_record
from signoria.games.il_principe.rulebook.components import standard as cities_of_il_principe
from signoria.games.patrician.rulebook.components import standard
from tests.volume import repeated

GOLDEN = Path(__file__).parents[1] / "golden"
LINES = {
    "patrician": (GOLDEN / "patrician-3-messengers-ambassadors.jsonl").read_bytes(),
    "il-principe": (GOLDEN / "il-principe-3.jsonl").read_bytes(),
}
LINE = LINES["patrician"]
RECORD = msgspec.json.decode(LINE)
GAMES = pytest.mark.parametrize("game", LINES)
CHANGES = repeated(40)
"""Number of changes to a field of actions that are tried; each game is replayed up to the change."""

Place = tuple[str | int, ...]


def leaves(value: Any, at: Place = ()) -> Iterator[Place]:
    """Every place in a JSON value that is not a list or object."""
    if isinstance(value, dict | list):
        for key, inner in value.items() if isinstance(value, dict) else enumerate(value):
            yield from leaves(inner, (*at, key))
    else:
        yield at


def others(value: Any, key: str | int) -> list[Any]:
    """Other plausible values: the next number, another name of the same kind, another type."""
    cards, cities = [card.id for card in standard().cards], [city.id for city in standard().cities]
    towns, colours = [city.id for city in cities_of_il_principe().cities], list(cities_of_il_principe().regions)
    match value:
        case bool():
            return [not value, None]
        case int():
            return [value + 1, value - 1, str(value), value + 0.5]
        case str() if value in cards:
            return [cards[(cards.index(value) + 1) % 48], cards[(cards.index(value) + 24) % 48], ""]
        case str() if value in cities:
            return [cities[(cities.index(value) + shift) % 9] for shift in (1, 2, 4)] + [""]
        case str() if value in towns:
            return [towns[(towns.index(value) + 1) % len(towns)], ""]
        case str() if value in colours:
            return [colours[(colours.index(value) + shift) % len(colours)] for shift in (1, 2)]
        case str():
            return [value + "x", value[:-1], 7] if value else ["x", 7]
        case None:
            return ["captain", "any", 0]
    raise AssertionError((key, value))


def changed(place: Place, new: Any, game: str = "patrician") -> bytes:
    """The record with one value replaced."""
    record = msgspec.json.decode(LINES[game])
    inner = record
    for key in place[:-1]:
        inner = inner[key]
    inner[place[-1]] = new
    return msgspec.json.encode(record)


def caught(line: bytes) -> bool:
    try:
        from_record(line)
    except BadRecord as error:
        assert str(error)
        return True
    return False


def mutations(game: str, part: str) -> list[tuple[Place, Any]]:
    places = leaves(msgspec.json.decode(LINES[game])[part], (part,))
    return [(place, new) for place in places for new in others(_at(place, game), place[-1]) if new != _at(place, game)]


def missed(game: str, changes: list[tuple[Place, Any]]) -> list[tuple[Place, Any]]:
    return [(place, new) for place, new in changes if not caught(changed(place, new, game))]


def _at(place: Place, game: str = "patrician") -> Any:
    inner = msgspec.json.decode(LINES[game])
    for key in place:
        inner = inner[key]
    return inner


@GAMES
def test_unchanged_record_is_accepted(game: str) -> None:
    assert not caught(LINES[game])


@GAMES
@pytest.mark.parametrize(
    "part", ["format", "game", "rules", "options", "seed", "salts", "commitment", "components", "setup", "result"]
)
def test_any_changed_field_is_detected(game: str, part: str) -> None:
    assert missed(game, mutations(game, part)) == []


PATRICIAN_FIELDS = ("seat", "of", "do", "card", "site", "city", "from", "between")
PRINCIPE_FIELDS = ("seat", "of", "do", "colour", "ducats", "city", "count", "region")


@pytest.mark.parametrize(
    ("game", "field"),
    [*(("patrician", field) for field in PATRICIAN_FIELDS), *(("il-principe", field) for field in PRINCIPE_FIELDS)],
)
def test_any_changed_field_of_an_action_is_detected(game: str, field: str) -> None:
    changes = [(place, new) for place, new in mutations(game, "actions") if field in place]
    assert changes
    some = Random(field).sample(changes, min(len(changes), CHANGES))
    assert missed(game, some) == []


@pytest.mark.parametrize(("game", "fields"), [("patrician", PATRICIAN_FIELDS), ("il-principe", PRINCIPE_FIELDS)])
def test_changes_cover_every_field_of_an_action(game: str, fields: tuple[str, ...]) -> None:
    assert {str(place[2]) for place, _ in mutations(game, "actions")} == set(fields)


def test_changed_token_option_is_detected_although_no_step_changes() -> None:
    other = {"open": "hidden", "hidden": "open"}[RECORD["options"]["tokens"]]
    assert caught(changed(("options", "tokens"), other))


@GAMES
@pytest.mark.parametrize(
    "place", [(), ("options",), ("setup",), ("result",), ("components",), ("actions", 3), ("result", "scores", 0)]
)
def test_missing_and_unknown_fields_are_detected(place: Place, game: str) -> None:
    keys = list(_at(place, game))
    for key in keys:
        record = msgspec.json.decode(LINES[game])
        inner = record
        for step in place:
            inner = inner[step]
        del inner[key]
        assert caught(msgspec.json.encode(record)), key
    assert caught(changed((*place, "extra"), 1, game))


@GAMES
def test_missing_and_added_actions_are_detected(game: str) -> None:
    actions = _at(("actions",), game)
    assert caught(changed(("actions",), actions[:-1], game))
    assert caught(changed(("actions",), [*actions, actions[-1]], game))
    for n in range(0, len(actions) - 1, 10):
        assert caught(changed(("actions",), [*actions[:n], *actions[n + 1 :]], game))


@pytest.mark.parametrize(
    "line",
    [
        b"",
        b"{",
        b"[]",
        b"7",
        b'"x"',
        b"{}",
        b"\xff\xfe",
        b'{"format": "\xff"}',
        b"[" * 100_000,
        LINE[:500],
        LINE.replace(b"actions", b"acts"),
    ],
)
def test_invalid_record_is_refused(line: bytes) -> None:
    assert caught(line)


def test_reason_of_another_program_needs_no_fingerprint() -> None:
    reason = RECORD["result"]["reason"].partition(";")[0]
    assert not caught(changed(("result", "reason"), reason))
    assert caught(changed(("result", "reason"), reason + ";"))


def test_error_names_its_field() -> None:
    for place, name in ((("actions", 5, "of"), r"actions\[5\]\.of"), (("setup", "pile", 2), r"setup\.pile\[2\]")):
        with pytest.raises(BadRecord, match=name):
            from_record(changed(place, others(_at(place), "")[0]))
    with pytest.raises(BadRecord, match=r"result\.scores\[1\]\.total: is \d+; expected \d+"):
        from_record(changed(("result", "scores", 1, "total"), 1))
