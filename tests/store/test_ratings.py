"""Ratings: adding, changing and ranking."""

import msgspec

from signoria.store.ratings import RatingRow, ratings_for, ratings_of, set_rating, top_ratings
from tests.databases import in_loop, opened
from tests.store.rows import a_user


@in_loop
async def test_rating_is_added_and_changed(database_url: str) -> None:
    async with opened(database_url) as database, database.write() as w:
        user = await a_user(w.db)
        rating = RatingRow("patrician", user.id, user.id, 25.0, 8.25, 1)
        other = RatingRow("il-principe", user.id, user.id, 20.0, 2.0, 40)
        await set_rating(w.db, rating)
        await set_rating(w.db, other)
        assert await ratings_for(w.db, "patrician", [user.id, "muratore"]) == {user.id: rating}
        assert await ratings_for(w.db, "patrician", []) == {}
        changed = msgspec.structs.replace(rating, mu=27.5, sigma=7.0, games=2)
        await set_rating(w.db, changed)
        assert await ratings_of(w.db, user.id) == [other, changed]


@in_loop
async def test_ranking_prefers_players_who_are_certainly_strong(database_url: str) -> None:
    async with opened(database_url) as database, database.write() as w:
        user = await a_user(w.db)
        lucky = RatingRow("patrician", user.id, user.id, 30.0, 8.0, 1)
        steady = RatingRow("patrician", "architetto", None, 28.0, 1.0, 90)
        await set_rating(w.db, lucky)
        await set_rating(w.db, steady)
        await set_rating(w.db, RatingRow("il-principe", "architetto", None, 40.0, 1.0, 90))
        assert await top_ratings(w.db, "patrician", 9) == [steady, msgspec.structs.replace(lucky, name="Anna")]
        assert await top_ratings(w.db, "patrician", 1) == [steady]
