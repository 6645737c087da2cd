"""Experiments: variants, designs of one's own, and the same games everywhere."""

from pathlib import Path

import msgspec
import pytest

from signoria.games import find_game
from signoria.kernel.errors import BadDeck, BadOption
from signoria.lab.experiment import Experiment, experiment_of, play, set_up, variant_of
from signoria.lab.figures import Results
from signoria.lab.playing import on_cores, run
from signoria.lab.report import findings, write_report
from signoria.lab.study import study

SHIPPED = {
    name: Path(f"src/signoria/games/{name.replace('-', '_')}/components.toml") for name in ("patrician", "il-principe")
}
ROOT = Path(__file__).parents[2]


def shipped(name: str) -> str:
    return (ROOT / SHIPPED[name]).read_text("utf-8")


def base(name: str, players: int = 2, bot: str = "random") -> Experiment:
    game = find_game(name)
    return experiment_of(game, game.options({"players": players}), None, (bot,) * players, 1)


def changed(folder: Path, name: str, was: str, now: str) -> Path:
    text = shipped(name)
    assert was in text
    path = folder / "changed.toml"
    path.write_text(text.replace(was, now, 1), "utf-8")
    return path


@pytest.mark.parametrize("name", sorted(SHIPPED))
def test_an_unchanged_components_file_plays_the_same_games(name: str, tmp_path: Path) -> None:
    same = tmp_path / "same.toml"
    same.write_text(shipped(name), "utf-8")
    for players in find_game(name).seats:
        one = base(name, players)
        two = variant_of(one, str(same))
        assert two.changes == ()
        assert set_up(one).boxes.tobytes() == set_up(two).boxes.tobytes()
        assert set_up(one).components == set_up(two).components


def test_a_changed_number_changes_scores_and_is_named(tmp_path: Path) -> None:
    one = base("patrician")
    path = changed(tmp_path, "patrician", "portrait_points = { value = 6", "portrait_points = { value = 12")
    two = variant_of(one, str(path))
    assert [(change.what, change.was, change.now) for change in two.changes] == [("game.portrait_points", 6, 12)]
    before, after = (Results(experiment, play(experiment, 0, 300)) for experiment in (one, two))
    assert after.part("portraits") == pytest.approx(2 * before.part("portraits"))
    assert after.part("tokens") == before.part("tokens")


def test_a_changed_card_is_played(tmp_path: Path) -> None:
    path = changed(tmp_path, "patrician", 'deck = { value = "C* L* E C ? 2 2"', 'deck = { value = "C* L* EE CC M 2 2"')
    components = set_up(variant_of(base("patrician"), str(path))).components
    shows = [card.shows for card in components.cards[:7]]  # type: ignore[attr-defined]
    assert shows == ["C*", "L*", "EE", "CC", "M", "2", "2"]


@pytest.mark.parametrize(
    ("name", "was", "now", "says"),
    [
        (
            "patrician",
            'deck = { value = "C* L* E C ? 2 2"',
            'deck = { value = "C* L* E C ? 2"',
            "roma must have 7 cards",
        ),
        ("patrician", 'deck = { value = "C* L* E C ? 2 2"', 'deck = { value = "C* L* E C ? 2 L"', "show 8 crests"),
        ("patrician", "dealt = { value = 3", "dealt = { value = 4", "game.dealt cannot be changed"),
        ("patrician", "dealt = { value = 3", 'dealt = { value = "x"', "must be of the same kind as 3"),
        ("patrician", "portrait_points = { value = 6", "portrait_points = { value = 99", "99; 30 points are the most"),
        ("patrician", "portrait_points", "portrait_pints", "portrait"),
        ("il-principe", "start_ducats = { value = 5", "start_ducats = { value = 90", "ducats in"),
        ("il-principe", "region_most = { value = 5", "region_most = { value = 50", "0 to 12 points"),
        ("il-principe", 'size = { value = "small"', 'size = { value = "tiny"', "size must be small"),
        ("il-principe", "crests = { value = 12", "crests = value", "no TOML"),
    ],
)
def test_files_that_the_rules_cannot_play_are_refused(tmp_path: Path, name: str, was: str, now: str, says: str) -> None:
    with pytest.raises(BadDeck, match=says):
        variant_of(base(name), str(changed(tmp_path, name, was, now)))


def test_options_can_be_compared() -> None:
    assert variant_of(base("patrician"), "messengers,tokens=hidden").options["tokens"] == "hidden"
    assert variant_of(base("patrician"), "standard") == base("patrician")
    for wrong in ("no-such-file.txt", "players=3", "hats"):
        with pytest.raises(BadOption):
            variant_of(base("patrician"), wrong)


def test_an_own_list_of_components_can_be_played_with_any_number_of_players(tmp_path: Path) -> None:
    own = find_game("patrician").own_components
    assert own is not None
    path = tmp_path / "deck.txt"
    path.write_text(own.write(own.standard()), "utf-8")
    one = variant_of(base("patrician"), str(path))
    assert len(set_up(one.with_players(5)).components.cards) == 55  # type: ignore[attr-defined]


def test_experiments_can_be_sent_to_other_machines() -> None:
    one = variant_of(base("patrician"), "messengers")
    assert msgspec.json.decode(msgspec.json.encode(one), type=Experiment) == one


def test_games_are_the_same_on_any_number_of_cores_and_by_any_bot() -> None:
    one = base("il-principe", 3)
    alone, together = (run(on_cores(cores), one, 5500, lambda _: None) for cores in (1, 2))
    assert all((a == b).all() for a, b in zip(alone, together, strict=True))


def test_bots_that_are_not_compiled_play_the_same_deals() -> None:
    slow = msgspec.structs.replace(base("patrician"), bots=("search:5", "random"))
    assert not slow.compiled
    one, again = play(slow, 0, 2), play(slow, 0, 2)
    assert all((a == b).all() for a, b in zip(one, again, strict=True))
    assert one.games[0] == 2


@pytest.mark.slow
def test_bots_that_are_not_compiled_play_in_processes() -> None:
    slow = msgspec.structs.replace(base("patrician"), bots=("search:5", "random"))
    there = run(on_cores(2), slow, 3, lambda _: None)
    assert all((a == b).all() for a, b in zip(there, play(slow, 0, 3), strict=True))


def test_report_tells_everything_and_needs_no_other_file(tmp_path: Path) -> None:
    path = changed(tmp_path, "patrician", "portrait_points = { value = 6", "portrait_points = { value = 10")
    one = base("patrician", 3)
    told: list[tuple[int, int]] = []
    played = study(on_cores(2), one, variant_of(one, str(path)), 1500, lambda *now: told.append(now))
    assert told[-1][0] == told[-1][1]
    page = write_report(played, "signoria lab <test>")
    for words in (
        *("Final scores", "Where points come from", "Seat advantage", "Length", "62-48-31", "What things were worth"),
        *("Roma 1", "Which clauses came into play", "P21", "By number of players", "5 players", "By strength of play"),
        *(
            "changed.toml compared with standard",
            "game.portrait_points",
            "not a cause",
            "signoria lab &lt;test&gt;",
        ),
    ):
        assert words in page, words
    assert "http" not in page.replace("http-equiv", "")
    assert "<script" not in page
    assert "nan" not in page.lower().replace("ferrara", "").replace("finance", "")
    assert any("points on average" in sentence for sentence in findings(played.base.main))
