"""Examples of clauses are real positions, and the rules judge every step in them as the rules page says."""

from itertools import chain

import pytest

from signoria.games import GAMES
from signoria.kernel.clauses import Reason
from signoria.kernel.examples import Example, faults, show

EXAMPLES = [
    pytest.param(game, example, id=f"{game}-{example.clause}-{number}")
    for game in GAMES
    for number, example in enumerate(GAMES[game].examples)
]


@pytest.mark.parametrize(("game", "example"), EXAMPLES)
def test_example_shows_its_clause(game: str, example: Example) -> None:
    """Steps are legal, or refused by exactly this clause; numbers in captions come from the position."""
    assert faults(example) == []
    assert example.clause in {clause.id for clause in GAMES[game].clauses}


@pytest.mark.parametrize("game", GAMES)
def test_every_clause_has_an_example(game: str) -> None:
    shown = {example.clause for example in GAMES[game].examples}
    assert [clause.id for clause in GAMES[game].clauses if clause.id not in shown] == []


@pytest.mark.parametrize("game", GAMES)
def test_every_clause_that_a_player_meets_exists(game: str) -> None:
    """Clauses of refusals and score lines are clauses of the rules, so each has an example too."""
    reasons: list[Reason] = list(getattr(GAMES[game].part("words.clauses"), "REASONS", {}).values())
    cited = {reason.clause for reason in reasons if reason.clause}
    table = GAMES[game].examples[0].position()
    cited |= {part.clause for score in table.scores for part in score.parts} | {GAMES[game].win_clause}
    assert cited <= {clause.id for clause in GAMES[game].clauses}
    assert len(cited) > 5


@pytest.mark.parametrize("game", GAMES)
def test_every_ruling_belongs_to_a_clause(game: str) -> None:
    clauses = {clause.id: clause for clause in GAMES[game].clauses}
    rulings = GAMES[game].rulings
    assert {ruling.clause for ruling in rulings} <= set(clauses)
    assert len({ruling.id for ruling in rulings}) == len(rulings)
    decided = {(ruling.clause, ruling.says) for ruling in rulings}
    assert [
        clause.id for clause in clauses.values() if clause.ruling and (clause.id, clause.ruling) not in decided
    ] == []


def test_towers_and_cards_of_patrician_are_possible() -> None:
    """Prepared positions: no card is there twice, no city has too many floors, and the right players won the towers."""
    for example in GAMES["patrician"].examples:
        view = show(example).view
        cards = [card for player in view.players for card in (*player.hand, *player.stack) if card]
        cards += [city.card for city in view.cities if city.card]
        assert len(set(cards)) == len(cards), example.clause
        assert all(player.floors_left >= 0 for player in view.players), example.clause
        for city in view.cities:
            assert city.built <= city.floors, (example.clause, city.id)
            assert city.scored == (city.built == city.floors), (example.clause, city.id)
            taller = 0 if len(city.towers[0]) > len(city.towers[1]) else 1
            assert not city.scored or city.won == (city.leads[taller], city.leads[1 - taller]), (
                example.clause,
                city.id,
            )


def test_cards_of_il_principe_are_possible() -> None:
    """There are never more buildings of a colour than in the box."""
    for example in GAMES["il-principe"].examples:
        view = show(example).view
        for colour in ("green", "white", "red", "blue", "yellow"):
            places = chain.from_iterable((player.hand or {}, player.up, player.down) for player in view.players)
            seen = sum(counts.get(colour, 0) for counts in (*places, view.lots))
            assert seen + view.remembered.gone.get(colour, 0) <= 20, example.clause
