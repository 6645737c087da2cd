"""Texts that scripts show, as JSON in pages."""

from collections.abc import Mapping, Sequence

import msgspec
from markupsafe import Markup

from signoria.kernel.language import per_language, say, say_forms


@per_language()
def script_texts() -> Markup:
    """The texts of every page by name, with their gaps open; a singular and a plural where a number decides between them."""
    texts = {
        "lost": say("Connection lost. Reconnecting; your moves are saved."),
        "back": say("Reconnected."),
        "failed": say("That did not work. Reload the page."),
        "unreached": say("Could not reach the server. Try again in a moment."),
        "offline": say("You are offline, so no move was made and nothing was sent. Try again when you are connected."),
        "no_rules": say("The rules cannot be loaded now. Try again in a moment."),
        "copied": say("Copied"),
        "part": say("{n} of {of}"),
        "skip": say("Skip"),
        "show": say("Show me"),
        "now": say("just now"),
        "minutes": say_forms("{n} minute ago", "{n} minutes ago"),
        "hours": say_forms("{n} hour ago", "{n} hours ago"),
        "days": say_forms("{n} day ago", "{n} days ago"),
        "whole_days": say_forms("{n} day", "{n} days"),
        "missed": say_forms("{n} move while you were away.", "{n} moves while you were away."),
        "so_far": say_forms("{n} move so far.", "{n} moves so far."),
    }
    return _as_json(texts)


@per_language()
def notification_texts(*, push: bool) -> Markup:
    """The same for the notification settings; `push` if the server sends push messages."""
    texts = {
        "turn_on": say("Turn on in this browser"),
        "turn_off": say("Turn off in this browser"),
        "notes_off": say("Notifications are off in this browser."),
        "notes_shown": say("Open pages in the background show notifications."),
        "notes_unknown": say("This browser cannot show notifications."),
        "notes_forbidden": say(
            "This browser does not allow notifications from this site. You can change that in its settings."
        ),
    }
    if push:
        texts |= {
            "notes_pushed": say("This browser gets push messages, also when Signoria is closed."),
            "notes_refused": say("The server did not accept this browser."),
            "not_pushed": say("This browser gets no push messages. Open pages in the background show notifications."),
        }
    return _as_json(texts)


def _as_json(texts: Mapping[str, Sequence[str]]) -> Markup:
    return Markup(msgspec.json.encode(texts).decode().replace("<", "\\u003c"))
