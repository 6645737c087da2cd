"""The theme of pages: the reader's choice in a cookie. The choice on the account comes first."""

from starlette.datastructures import Headers

from signoria.server.people.cookies import choice_cookie, cookie_in

COOKIE = "theme"


def theme_cookie(name: str, *, secure: bool) -> str:
    """The Set-Cookie that keeps the choice of a theme."""
    return choice_cookie(COOKIE, name, secure=secure)


def theme_in_cookie(headers: Headers) -> str | None:
    """The theme that the cookie of a request names; None without one."""
    return cookie_in(headers, COOKIE)
