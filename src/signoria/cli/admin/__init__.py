"""`signoria admin`: what whoever keeps a house has to do now and then."""

from functools import partial
from pathlib import Path
from typing import Annotated

import typer

from signoria.cli.output import console, signs
from signoria.kernel.words import counted

WRONG = 1

admin = typer.Typer(
    help="Keep a house: back it up, restore it, export its games, look after accounts and paused games.",
    rich_markup_mode=None,
)
Kept = Annotated[
    str | None, typer.Option("--database", metavar="URL|FILE", help="Where the house keeps its games, as for serve.")
]
Name = Annotated[str, typer.Argument(metavar="NAME", help="The user's name, however it is written.")]
say = partial(console.print, soft_wrap=True)


@admin.command()
def backup(
    file: Annotated[Path, typer.Argument(metavar="FILE", help="A new file, such as signoria.jsonl.gz.")],
    database: Kept = None,
) -> None:
    """Write everything to a file that either kind of database takes. The house may stay open."""
    from signoria.cli.admin import actions

    say(f"{file}: {_counts(actions.back_up(database, file))}.")


@admin.command()
def restore(
    file: Annotated[Path, typer.Argument(metavar="FILE", help="What `signoria admin backup` wrote.")],
    database: Kept = None,
) -> None:
    """Fill a new, empty database from a backup: after a loss, or to move from SQLite to PostgreSQL."""
    from signoria.cli.admin import actions

    say(f"Restored: {_counts(actions.bring_back(database, file))}.")


@admin.command()
def export(
    file: Annotated[str, typer.Argument(metavar="FILE", help="Records, one a line; - for standard output.")],
    database: Kept = None,
) -> int:
    """Write the records of all finished games. `signoria verify` checks them; they do not say who played."""
    from signoria.cli.admin import actions

    written, wrong = actions.write_records(database, file)
    for table_id, reason in wrong.items():
        signs.print(f"Table {table_id} has no record: {reason}", soft_wrap=True)
    signs.print(f"{counted(written, 'record')} written.")
    return WRONG if wrong else 0


@admin.command()
def delete_user(
    name: Name,
    database: Kept = None,
    yes: Annotated[bool, typer.Option("--yes", help="Do not ask first.")] = False,
) -> int:
    """Delete a user's account, sessions, tokens, ratings and messages. Their games stay, without their name."""
    from signoria.cli.admin import actions

    user = actions.find_user(database, name)
    if not yes and not typer.confirm(f"Delete {user.name} and everything of theirs? It cannot be undone"):
        say("Nothing was deleted.")
        return WRONG
    actions.delete(database, user)
    say(f"{user.name} is deleted.")
    return 0


@admin.command()
def set_password(name: Name, database: Kept = None) -> None:
    """Give a user who has forgotten theirs a new password, asked for twice. Their sessions end, their tokens are revoked."""
    from signoria.cli.admin import actions
    from signoria.server.people.passwords import clean_password

    user = actions.find_user(database, name)
    typed = typer.prompt(f"New password of {user.name}", hide_input=True, confirmation_prompt=True)
    actions.give_password(database, user, clean_password(typed))
    say(f"{user.name} has a new password. All their sessions have ended and all their tokens are revoked.")


@admin.command()
def resume(
    table: Annotated[str, typer.Argument(metavar="TABLE", help="The table's id, as the log names it.")],
    database: Kept = None,
) -> None:
    """Let a game go on that was paused because the server crashed when a bot moved there. The house may stay open."""
    from signoria.cli.admin import actions

    actions.resume(database, table)
    say(f"The game at table {table} goes on.")


def _counts(counts: dict[str, int]) -> str:
    return ", ".join(f"{number:,} {table}" for table, number in counts.items())
