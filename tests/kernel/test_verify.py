"""`verify` catches whatever is changed in a record."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import msgspec
import pytest

from signoria import BadRecord, from_record
from signoria.patrician.components import standard

GOLDEN = Path(__file__).parents[1] / "golden" / "patrician-3-messengers-ambassadors.jsonl"
LINE = GOLDEN.read_bytes()
RECORD = msgspec.json.decode(LINE)

Place = tuple[str | int, ...]


def leaves(value: Any, at: Place = ()) -> Iterator[Place]:
    """Every place in a JSON value that holds no list or object."""
    if isinstance(value, dict | list):
        for key, inner in value.items() if isinstance(value, dict) else enumerate(value):
            yield from leaves(inner, (*at, key))
    else:
        yield at


def others(value: Any, key: str | int) -> list[Any]:
    """Other values that could stand there: the next number, another name of the same kind, another type."""
    cards, cities = [card.id for card in standard().cards], [city.id for city in standard().cities]
    match value:
        case bool():
            return [not value, None]
        case int():
            return [value + 1, value - 1, str(value), value + 0.5]
        case str() if value in cards:
            return [cards[(cards.index(value) + 1) % 48], cards[(cards.index(value) + 24) % 48], ""]
        case str() if value in cities:
            return [cities[(cities.index(value) + shift) % 9] for shift in (1, 2, 4)] + [""]
        case str():
            return [value + "x", value[:-1], 7] if value else ["x", 7]
        case None:
            return ["captain", "any", 0]
    raise AssertionError((key, value))


def changed(place: Place, new: Any) -> bytes:
    """The record with one value replaced."""
    record = msgspec.json.decode(LINE)
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


def mutations(part: str) -> list[tuple[Place, Any]]:
    places = leaves(RECORD[part], (part,))
    return [(place, new) for place in places for new in others(_at(place), place[-1]) if new != _at(place)]


def _at(place: Place) -> Any:
    inner = RECORD
    for key in place:
        inner = inner[key]
    return inner


def test_the_record_itself_is_right() -> None:
    assert not caught(LINE)


@pytest.mark.parametrize(
    "part", ["format", "game", "rules", "options", "seed", "salts", "commitment", "components", "setup", "result"]
)
def test_any_changed_field_is_caught(part: str) -> None:
    missed = [(place, new) for place, new in mutations(part) if not caught(changed(place, new))]
    assert not missed


@pytest.mark.parametrize("field", ["seat", "of", "do", "card", "site", "city", "from", "between"])
def test_any_changed_field_of_an_action_is_caught(field: str) -> None:
    changes = [(place, new) for place, new in mutations("actions") if field in place]
    assert changes
    assert [(place, new) for place, new in changes if not caught(changed(place, new))] == []


def test_how_tokens_lay_is_caught_though_it_changes_no_step() -> None:
    other = {"open": "hidden", "hidden": "open"}[RECORD["options"]["tokens"]]
    assert caught(changed(("options", "tokens"), other))


@pytest.mark.parametrize(
    "place", [(), ("options",), ("setup",), ("result",), ("components",), ("actions", 3), ("result", "scores", 0)]
)
def test_missing_and_unknown_fields_are_caught(place: Place) -> None:
    keys = list(_at(place))
    for key in keys:
        record = msgspec.json.decode(LINE)
        inner = record
        for step in place:
            inner = inner[step]
        del inner[key]
        assert caught(msgspec.json.encode(record)), key
    assert caught(changed((*place, "extra"), 1))


def test_actions_left_out_swapped_or_added_are_caught() -> None:
    actions = RECORD["actions"]
    assert caught(changed(("actions",), actions[:-1]))
    assert caught(changed(("actions",), [*actions, actions[-1]]))
    for n in range(0, len(actions) - 1, 10):
        assert caught(changed(("actions",), [*actions[:n], *actions[n + 1 :]]))


@pytest.mark.parametrize(
    "line", [b"", b"{", b"[]", b"7", b'"x"', b"{}", b"\xff\xfe", LINE[:500], LINE.replace(b"actions", b"acts")]
)
def test_what_is_no_record_is_said_to_be_none(line: bytes) -> None:
    assert caught(line)


def test_an_error_names_its_field() -> None:
    for place, name in ((("actions", 5, "of"), r"actions\[5\]\.of"), (("setup", "pile", 2), r"setup\.pile\[2\]")):
        with pytest.raises(BadRecord, match=name):
            from_record(changed(place, others(_at(place), "")[0]))
    with pytest.raises(BadRecord, match=r"result\.scores\[1\]\.total: says \d+, and \d+ is right"):
        from_record(changed(("result", "scores", 1, "total"), 1))
