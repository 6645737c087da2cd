"""Why a message could not be sent."""


class SendingFailed(Exception):
    """Sending failed, and may succeed later."""


class TargetGone(Exception):
    """The target does not exist any more: a browser that cancelled its subscription."""


class SendingRefused(Exception):
    """Sending failed, and will fail again: the address does not exist, or the request is wrong."""
