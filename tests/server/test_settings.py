"""Settings: from options, from the environment, and as documented."""

import re
from pathlib import Path
from typing import Any

import msgspec
import pytest

from signoria.kernel.errors import BadOption
from signoria.server.settings import PREFIX, Rate, Rates, Settings, origin_of, rate, read_settings

HOSTING = Path(__file__).parents[2] / "docs/hosting.md"


def test_options_take_precedence_over_the_environment() -> None:
    environment = {"SIGNORIA_PORT": "9000", "SIGNORIA_HOST": "0.0.0.0", "SIGNORIA_CACHE": "elsewhere"}
    settings = read_settings({"port": 9001, "host": None, "workers": None}, environment)
    assert (settings.port, settings.host, settings.workers) == (9001, "0.0.0.0", 1)
    assert read_settings({}, {}) == Settings()


def test_environment_values_may_be_written_in_several_ways() -> None:
    settings = read_settings(
        {},
        {
            "SIGNORIA_HOSTS": "games.example.org, LOCALHOST,",
            "SIGNORIA_METRICS_OPEN": "Yes",
            "SIGNORIA_RATE_STEPS": "3/min up to 5",
            "SIGNORIA_PACE": "0",
        },
    )
    assert settings.hosts == ("games.example.org", "localhost")
    assert settings.metrics_open
    assert settings.rates == Rates(steps=Rate(0.05, 5))
    assert settings.pace == 0


def test_https_public_address_is_secure() -> None:
    assert read_settings({"public_url": "https://games.example.org/"}, {}).secure
    assert read_settings({"public_url": "https://games.example.org/"}, {}).public_origin == "https://games.example.org"
    assert not read_settings({"public_url": "http://games.example.org"}, {}).secure
    assert not read_settings({"public_url": "https://games.example.org"}, {"SIGNORIA_SECURE": "off"}).secure


@pytest.mark.parametrize(
    ("given", "environment", "says"),
    [
        ({"port": 99999}, {}, "--port: 99999"),
        ({}, {"SIGNORIA_WORKERS": "0"}, "SIGNORIA_WORKERS: '0'"),
        ({}, {"SIGNORIA_PORT": "many"}, "SIGNORIA_PORT: 'many'"),
        ({}, {"SIGNORIA_SECURE": "maybe"}, "SIGNORIA_SECURE: 'maybe'"),
        ({"log_format": "xml"}, {}, "--log-format: 'xml' is not valid. Use auto, text or json"),
        ({}, {"SIGNORIA_RATE_CHAT": "often"}, "SIGNORIA_RATE_CHAT: 'often' is not a rate"),
        ({"public_url": "games.example.org"}, {}, "'games.example.org'"),
        ({"public_url": "https://[games.example.org"}, {}, "games.example.org'"),
    ],
)
def test_invalid_setting_is_rejected_with_the_allowed_values(
    given: dict[str, Any], environment: dict[str, str], says: str
) -> None:
    with pytest.raises(BadOption, match=re.escape(says)):
        read_settings(given, environment)


@pytest.mark.parametrize(
    ("text", "per_second", "burst"),
    [("20/s", 20, 20), ("30/min up to 10", 0.5, 10), ("36/h", 0.01, 36), ("off", float("inf"), float("inf"))],
)
def test_rates_are_parsed(text: str, per_second: float, burst: float) -> None:
    assert rate(text).per_second == pytest.approx(per_second)
    assert rate(text).burst == burst


@pytest.mark.parametrize("text", ["", "20", "0/s", "20/day", "20/s up to 0", "-1/s", "20/s up to"])
def test_invalid_rates_are_rejected(text: str) -> None:
    with pytest.raises(BadOption, match="is not a rate"):
        rate(text)


@pytest.mark.parametrize(
    ("url", "origin"),
    [
        ("https://games.example.org/house?x#y", "https://games.example.org"),
        ("https://games.example.org:443", "https://games.example.org"),
        ("http://Games.Example.org:8420", "http://games.example.org:8420"),
        ("http://[::1]:8420", "http://[::1]:8420"),
    ],
)
def test_origins_are_normalised_like_in_browsers(url: str, origin: str) -> None:
    assert origin_of(url) == origin


@pytest.mark.parametrize(
    ("settings", "answers", "to"),
    [
        (Settings(), True, "localhost"),
        (Settings(), False, "elsewhere.example.org"),
        (Settings(public_url="https://games.example.org"), True, "games.example.org"),
        (Settings(hosts=("mine",)), False, "localhost"),
        (Settings(host="0.0.0.0"), True, "anything"),
        (Settings(proxy="127.0.0.1"), True, "anything"),
    ],
)
def test_accepted_host_names(settings: Settings, answers: bool, to: str) -> None:
    assert (not settings.answers_to or to in settings.answers_to) == answers


def test_every_setting_is_documented_with_its_default() -> None:
    table = dict(re.findall(r"^\| `(SIGNORIA_\w+)` \|[^|]*\| ([^|]*) \|", HOSTING.read_text(), re.M))
    usual = Settings()
    for name in Settings.__struct_fields__:
        if name != "rates":
            assert PREFIX + name.upper() in table, name
            value = getattr(usual, name)
            if isinstance(value, int | str) and not isinstance(value, bool):
                assert table[PREFIX + name.upper()].strip("`") == str(value), name
    for name, value in msgspec.structs.asdict(usual.rates).items():
        assert rate(table[f"{PREFIX}RATE_{name.upper()}"].strip("`")) == value, name
