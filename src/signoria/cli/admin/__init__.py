"""`signoria admin`: backups, accounts and paused games, for the host of a server."""

from functools import partial
from pathlib import Path
from typing import Annotated

import typer

from signoria.cli.output import console, signs
from signoria.kernel.language import to_say, to_say_docstring
from signoria.kernel.words import counted

WRONG = 1

admin = typer.Typer(
    help=to_say("Administer a server: backup and restore, export games, manage accounts, resume paused games."),
    rich_markup_mode=None,
)
Kept = Annotated[
    str | None, typer.Option("--database", metavar="URL|FILE", help=to_say("The database of the server, as for serve."))
]
Name = Annotated[
    str,
    typer.Argument(metavar="NAME", help=to_say("The user's name, in any spelling that the server treats as the same.")),
]
say = partial(console.print, soft_wrap=True)


@admin.command()
@to_say_docstring
def backup(
    file: Annotated[Path, typer.Argument(metavar="FILE", help=to_say("A new file, such as signoria.jsonl.gz."))],
    database: Kept = None,
) -> None:
    """Write a backup that SQLite and PostgreSQL can restore. The server may keep running."""
    from signoria.cli.admin import actions

    say(f"{file}: {_counts(actions.back_up(database, file))}.")


@admin.command()
@to_say_docstring
def restore(
    file: Annotated[Path, typer.Argument(metavar="FILE", help=to_say("A file written by `signoria admin backup`."))],
    database: Kept = None,
) -> None:
    """Restore a backup into a new, empty database: after a loss, or to move from SQLite to PostgreSQL."""
    from signoria.cli.admin import actions

    say(f"Restored: {_counts(actions.bring_back(database, file))}.")


@admin.command()
@to_say_docstring
def export(
    file: Annotated[
        str, typer.Argument(metavar="FILE", help=to_say("File for the records, one per line; - for standard output."))
    ],
    database: Kept = None,
) -> int:
    """Write the records of all finished games, without the players' names. `signoria verify` checks them."""
    from signoria.cli.admin import actions

    written, wrong = actions.write_records(database, file)
    for table_id, reason in wrong.items():
        signs.print(f"Table {table_id} has no record: {reason}", soft_wrap=True)
    signs.print(f"{counted(written, 'record')} written.")
    return WRONG if wrong else 0


@admin.command()
@to_say_docstring
def delete_user(
    name: Name,
    database: Kept = None,
    yes: Annotated[bool, typer.Option("--yes", help=to_say("Do not ask for confirmation."))] = False,
) -> int:
    """Delete a user's account, sessions, tokens, ratings and messages. Their games stay, without their name."""
    from signoria.cli.admin import actions

    user = actions.find_user(database, name)
    if not yes and not typer.confirm(f"Delete {user.name} and all their data? This cannot be undone"):
        say("Nothing was deleted.")
        return WRONG
    actions.delete(database, user)
    say(f"{user.name} was deleted.")
    return 0


@admin.command()
@to_say_docstring
def set_password(name: Name, database: Kept = None) -> None:
    """Set a new password for a user who forgot theirs. This ends their sessions and revokes their tokens."""
    from signoria.cli.admin import actions
    from signoria.server.people.passwords import clean_password

    user = actions.find_user(database, name)
    typed = typer.prompt(f"New password for {user.name}", hide_input=True, confirmation_prompt=True)
    actions.give_password(database, user, clean_password(typed))
    say(f"{user.name} has a new password. All their sessions have ended and all their tokens are revoked.")


@admin.command()
@to_say_docstring
def resume(
    table: Annotated[str, typer.Argument(metavar="TABLE", help=to_say("The id of the table, from the log."))],
    database: Kept = None,
) -> None:
    """Resume a game that was paused because a bot crashed the server. The server may keep running."""
    from signoria.cli.admin import actions

    actions.resume(database, table)
    say(f"The game at table {table} continues.")


@admin.command()
@to_say_docstring
def moderator(
    name: Name,
    database: Kept = None,
    remove: Annotated[bool, typer.Option("--remove", help=to_say("Take the right away again."))] = False,
) -> None:
    """Let a person use the page /moderation: answer reports, mute, rename and ban people, close tables."""
    from signoria.cli.admin import actions

    user = actions.set_moderator(database, name, moderator=not remove)
    say(f"{user.name} is {'no longer ' if remove else ''}a moderator.")


@admin.command()
@to_say_docstring
def vapid_keys() -> None:
    """Make a key for push messages. Every browser is bound to the key it has subscribed with, so keep it."""
    from importlib.util import find_spec

    from signoria.kernel.errors import BadOption
    from signoria.server.people.notifications.web_push import new_private_key

    if find_spec("pywebpush") is None:
        raise BadOption("This needs the package pywebpush: pip install 'signoria[notifications]'.")
    print(f"SIGNORIA_VAPID_KEY={new_private_key()}")


def _counts(counts: dict[str, int]) -> str:
    return ", ".join(f"{number:,} {table}" for table, number in counts.items())
