"""Why the system could not read, write or listen, in the language that is spoken."""

from signoria.kernel.language import say, to_say

KNOWN = (
    to_say("No such file or directory"),
    to_say("Permission denied"),
    to_say("Operation not permitted"),
    to_say("Is a directory"),
    to_say("Not a directory"),
    to_say("File exists"),
    to_say("No space left on device"),
    to_say("Read-only file system"),
    to_say("Address already in use"),
    to_say("Cannot assign requested address"),
)
"""The common errors as the system says them."""


def tell_reason(error: OSError) -> str:
    """The reason of an error. One that is not common stays English."""
    reason = error.strerror or str(error)
    return say(reason) if reason in KNOWN else reason
