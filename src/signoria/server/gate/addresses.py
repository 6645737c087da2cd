"""Where people were last seen. It is kept in memory alone, so that one address gets one share of what is scarce."""

from collections import OrderedDict

from signoria.server.gate.rate import MOST_KEYS


class Addresses:
    """The address that each person last sent a request from, as it is counted; of those who came last."""

    def __init__(self, most: int = MOST_KEYS) -> None:
        self._most = most
        self._seen: OrderedDict[str, str] = OrderedDict()

    def note(self, user_id: str, address: str) -> None:
        """Somebody sends a request from there."""
        self._seen[user_id] = address
        self._seen.move_to_end(user_id)
        if len(self._seen) > self._most:
            self._seen.popitem(last=False)

    def of(self, user_id: str) -> str | None:
        """Where somebody was last seen; None where that is not known."""
        return self._seen.get(user_id)
