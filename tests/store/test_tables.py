"""Tables: found and listed with their seats, changed and counted."""

from typing import Any

import msgspec
import pytest
from sqlalchemy import event, select
from sqlalchemy.exc import CompileError

from signoria.store import lists
from signoria.store import tables as store
from signoria.store.lists import ListPage, Place, latest_tables, own_tables, public_tables
from signoria.store.schema import messages, ratings, seats, steps, tables, tokens
from tests.databases import in_loop, opened
from tests.store.rows import NOW, a_table, a_user, table_row


def test_rows_have_the_columns_of_the_schema() -> None:
    from signoria.store.messages import MessageRow
    from signoria.store.people import TokenRow
    from signoria.store.ratings import RatingRow
    from signoria.store.steps import StepRow

    of_person = {"unasked", "account", "vacation_until", "shows_rating"}
    assert {*store.TableRow.__struct_fields__[:-1], "attempts"} == set(tables.c.keys())
    assert {*store.SeatRow.__struct_fields__, "state", "ended_at"} - of_person == set(seats.c.keys())
    assert ("table_id", *StepRow.__struct_fields__) == tuple(steps.c.keys())
    assert MessageRow.__struct_fields__[:-1] == tuple(messages.c.keys())
    assert (*RatingRow.__struct_fields__[:-1], "ordinal") == tuple(ratings.c.keys())
    assert set(TokenRow.__struct_fields__) == set(tokens.c.keys()) - {"hash"}


@in_loop
async def test_table_is_read_as_it_was_written(database_url: str) -> None:
    async with opened(database_url) as database:
        async with database.write() as w:
            user = await a_user(w.db)
            sitting = (
                store.SeatRow("t1", 0, user_id=user.id, name="Anna", salt="pepper", account="Anna"),
                store.SeatRow("t1", 1, bot="muratore", away=True, resigned=True),
                store.SeatRow("t1", 2),
            )
            row = await a_table(
                w.db,
                host_id=user.id,
                invitation="secret",
                options={"ambassadors": False, "floors": [1, 2], "name": "Città «»"},
                result={"winners": [0], "scores": [10, 8]},
                due_at=NOW + 1,
                ended_at=NOW,
                origin_id="t0",
                rematch_id="t2",
                seats=sitting,
            )
            bare = await a_table(w.db, "t9", seats=())
        async with database.read() as db:
            assert await store.find_table(db, "t1") == row
            assert await store.find_table(db, "t9") == bare
            assert await store.find_table(db, "t5") is None
            assert await store.find_by_invitation(db, "secret") == row
            assert await store.find_by_invitation(db, "guess") is None
        async with database.write() as w:
            assert await store.hold_table(w.db, "t1") == row
            assert await store.hold_table(w.db, "t5") is None


@in_loop
async def test_public_lists_are_newest_first_and_limited(database_url: str) -> None:
    async with opened(database_url) as database:
        async with database.write() as w:
            for state in ("open", "playing", "over", "closed"):
                for place in range(3):
                    await a_table(w.db, f"{state}-{place}", state=state, touched_at=NOW + place)
                await a_table(
                    w.db, f"{state}-private", state=state, touched_at=NOW + 9, invitation=f"secret of {state}"
                )
        async with database.read() as db:
            for state in ("open", "playing", "over"):
                found = (await public_tables(db, state, 9)).rows
                assert [row.id for row in found] == [f"{state}-2", f"{state}-1", f"{state}-0"]
                assert all(len(row.seats) == 2 for row in found)
                assert await public_tables(db, state, 2) == (found[:2], Place(NOW + 1, f"{state}-1"))
                assert await public_tables(db, state, 3) == (found, None)


@in_loop
async def test_long_list_is_read_page_by_page(database_url: str) -> None:
    async with opened(database_url) as database:
        async with database.write() as w:
            anna = await a_user(w.db, "Anna")
            for place in range(7):  # three pages, and several tables with the same time
                sitting = (store.SeatRow(f"t{place}", 0, user_id=anna.id if place % 2 else None),)
                game = "patrician" if place % 3 else "il-principe"
                await a_table(
                    w.db, f"t{place}", state="over", game=game, touched_at=NOW + place // 4, host_id=None, seats=sitting
                )
            await a_table(w.db, "closed", state="closed", host_id=anna.id)
        async with database.read() as db:
            told, page = [], await public_tables(db, "over", 3)
            while page.next:
                told += ids(page)
                page = await public_tables(db, "over", 3, after=page.next)
            assert [*told, *ids(page)] == ["t6", "t5", "t4", "t3", "t2", "t1", "t0"]
            assert ids(await public_tables(db, "over", 9, game="il-principe")) == ["t6", "t3", "t0"]
            assert ids(await public_tables(db, "over", 9, player=anna.id)) == ["t5", "t3", "t1"]
            assert ids(await own_tables(db, anna.id, 9)) == ["t5", "t3", "t1"]
            older = await own_tables(db, anna.id, 9, game="patrician", after=Place(NOW + 1, "t5"))
            assert ids(older) == ["t1"]


def ids(page: ListPage) -> list[str]:
    return [row.id for row in page.rows]


@in_loop
async def test_page_of_a_filtered_list_examines_a_limited_number_of_tables(
    database_url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(lists, "EXAMINED", 4)
    async with opened(database_url) as database:
        async with database.write() as w:
            anna, berta = await a_user(w.db, "Anna"), await a_user(w.db, "Berta")
            for place in range(11):  # twice at one table, and with Berta at the oldest and the current one
                sitting = [store.SeatRow(f"t{place:02}", seat, user_id=anna.id) for seat in range(2)]
                if place in (0, 7):
                    sitting.append(store.SeatRow(f"t{place:02}", 2, user_id=berta.id))
                state = "playing" if place == 7 else "over"
                await a_table(w.db, f"t{place:02}", state=state, touched_at=NOW + place, seats=tuple(sitting))
        async with database.read() as db:
            for listed in (
                own_tables,
                lambda db, user, limit, **how: public_tables(db, "over", limit, player=user, **how),
            ):
                told: list[str] = []
                pages, after = 0, None
                while pages == 0 or after is not None:
                    page = await listed(db, anna.id, 3, after=after)
                    told, pages, after = [*told, *ids(page)], pages + 1, page.next
                wanted = [f"t{place:02}" for place in reversed(range(11))]
                assert told == (wanted if listed is own_tables else [one for one in wanted if one != "t07"])
            first = await own_tables(db, anna.id, 3, player=berta.id)
            assert (ids(first), first.next) == (["t07"], Place(NOW + 7, "t07"))
            second = await own_tables(db, anna.id, 3, player=berta.id, after=first.next)
            assert (ids(second), second.next) == ([], Place(NOW + 4, "-"))
            assert ids(await own_tables(db, anna.id, 3, player=berta.id, after=second.next)) == ["t00"]


@in_loop
@pytest.mark.parametrize("moments", [1, 10, 20])
async def test_list_reveals_no_table_that_is_not_in_it(
    database_url: str, monkeypatch: pytest.MonkeyPatch, moments: int
) -> None:
    monkeypatch.setattr(lists, "EXAMINED", 4)
    public = {"t05", "t12", "t13"}
    async with opened(database_url) as database:
        async with database.write() as w:
            anna = await a_user(w.db, "Anna")
            for place in range(20):  # so that a page can end between tables of the same time
                table_id = f"t{place:02}"
                await a_table(
                    w.db,
                    table_id,
                    state="over",
                    touched_at=NOW + place * moments // 20,
                    invitation=None if table_id in public else f"secret of {table_id}",
                    seats=(store.SeatRow(table_id, 0, user_id=anna.id),),
                )
        async with database.read() as db:
            told: list[str] = []
            page = await public_tables(db, "over", 3, player=anna.id)
            for _ in range(40):
                told += ids(page)
                if page.next is None:
                    break
                assert page.next.id == "-" or page.next.id in told
                page = await public_tables(db, "over", 3, player=anna.id, after=page.next)
            assert page.next is None
            assert told == sorted(public, reverse=True) or (moments == 1 and set(told) <= public)


@in_loop
async def test_own_tables_are_those_played_or_hosted_and_current_ones_come_first(
    database_url: str,
) -> None:
    async with opened(database_url) as database:
        async with database.write() as w:
            anna, berta = await a_user(w.db, "Anna"), await a_user(w.db, "Berta")
            for table_id, state, touched, host, sitter in [
                ("old game", "playing", 1, berta, anna),
                ("over", "over", 5, berta, anna),
                ("mine", "open", 3, anna, None),
                ("both", "playing", 2, anna, anna),
                ("closed", "closed", 9, anna, None),
                ("theirs", "playing", 8, berta, berta),
            ]:
                sitting = (store.SeatRow(table_id, 0, user_id=None if sitter is None else sitter.id),)
                await a_table(
                    w.db, table_id, state=state, touched_at=touched, host_id=host.id, invitation=table_id, seats=sitting
                )
        async with database.read() as db:
            mine = [row.id for row in await latest_tables(db, anna.id, 9, 9)]
            assert mine == ["mine", "both", "old game", "over"]
            assert [row.id for row in await latest_tables(db, anna.id, 2, 9)] == ["mine", "both", "old game"]
            assert await latest_tables(db, "nobody", 9, 9) == []
            assert set(await store.any_tables_of(db, anna.id, 9)) == {"mine", "both", "old game", "over", "closed"}
            assert await store.ended_tables(db, anna.id, "closed", 9) == [Place(9, "closed")]
            assert await store.ended_tables(db, anna.id, "closed", 9, opened=False) == []
            assert await store.going_on(db, anna.id) == ["both", "mine", "old game"]
            assert await store.going_on(db, "nobody") == []
            assert await store.still_going_on(db, ["mine", "over", "closed", "none"]) == {"mine"}


@in_loop
async def test_list_takes_two_statements_whatever_its_length(database_url: str) -> None:
    async with opened(database_url) as database:
        async with database.write() as w:
            for place in range(30):
                await a_table(w.db, f"t{place}", state="open")
        asked: list[str] = []

        def note(*given: Any) -> None:
            asked.append(given[2])

        async with database.read() as db:
            event.listen(db.engine.sync_engine, "before_cursor_execute", note)
            assert len((await public_tables(db, "open", 50)).rows) == 30
            assert len(asked) == 2
            event.remove(db.engine.sync_engine, "before_cursor_execute", note)


@in_loop
async def test_revision_counts_changes(database_url: str) -> None:
    async with opened(database_url) as database, database.write() as w:
        row = await a_table(w.db)
        await store.change(w.db, "t1", state="open", options={"messengers": False}, result=None)
        taken = store.SeatRow("t1", 1, name="Berta", salt="x", away=True)
        await store.set_seat(w.db, taken)
        assert await store.find_table(w.db, "t1") == msgspec.structs.replace(
            row, state="open", options={"messengers": False}, revision=2, seats=(row.seats[0], taken)
        )
        with pytest.raises(CompileError, match="colour"):
            await store.change(w.db, "t1", colour="red")


@in_loop
async def test_in_a_finished_game_it_is_nobodys_turn(database_url: str) -> None:
    async with opened(database_url) as database, database.write() as w:
        row = await a_table(w.db, due_at=NOW + 3)
        await store.finish(w.db, "t1", {"winners": [1]}, NOW + 7)
        of_seats = (await w.db.execute(select(seats.c.state, seats.c.ended_at).distinct())).all()
        assert of_seats == [("over", NOW + 7)]
        assert await store.find_table(w.db, "t1") == msgspec.structs.replace(
            row,
            state="over",
            result={"winners": [1]},
            turn=None,
            turn_at=None,
            due_at=None,
            ended_at=NOW + 7,
            touched_at=NOW + 7,
            revision=1,
        )


@in_loop
async def test_open_tables_without_activity_are_stale(database_url: str) -> None:
    async with opened(database_url) as database, database.write() as w:
        for table_id, state, touched in [("a", "open", 5), ("b", "open", 4), ("c", "open", 6), ("d", "playing", 1)]:
            await a_table(w.db, table_id, state=state, touched_at=touched)
        stale = await store.stale_tables(w.db, before=6)
        assert [place.id for place in stale] == ["b", "a"]
        assert await store.stale_tables(w.db, 6, stale[0]) == stale[1:]


def test_seat_is_open_by_default() -> None:
    assert store.SeatRow("t1", 3) == store.SeatRow("t1", 3, None, None, None, away=False, resigned=False, salt="")
    assert table_row().seats[1].bot == "muratore"
