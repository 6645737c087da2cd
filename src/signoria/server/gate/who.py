"""Who is asking."""

import msgspec
from starlette.requests import HTTPConnection

from signoria.server.errors import NotAllowed, SignInFirst
from signoria.store.people import User
from signoria.web.models import Viewer


class Who(msgspec.Struct, frozen=True):
    """Whoever sent a request."""

    user: User | None = None
    """None for somebody who has not done anything here yet."""
    token: bool = False
    """A program that showed a token, and not a browser with its cookie."""
    session: str | None = None
    """The SHA-256 of the cookie, which is all that is kept of it."""

    def somebody(self) -> User:
        """The person; raises `SignInFirst` where the house knows nobody."""
        if self.user is None:
            raise SignInFirst(
                "The house does not know you yet: sit down under a name, sign in, or show a token "
                "(Authorization: Bearer ...)."
            )
        return self.user

    def in_person(self) -> User:
        """The person, in a browser; raises `NotAllowed` for a program: a token does not make or change accounts."""
        user = self.somebody()
        if self.token:
            raise NotAllowed("A program cannot do this with a token; it is done on the account page.")
        return user


NOBODY = Who()


def viewer_model(user: User | None) -> Viewer | None:
    """A person as pages know them."""
    return None if user is None else Viewer(id=user.id, name=user.name, guest=user.guest, unasked=user.unasked)


def who_of(request: HTTPConnection) -> Who:
    """Whoever sent this request, as the gate found out."""
    who: Who = request.scope.get("state", {}).get("who", NOBODY)
    return who
