"""The cookies of a request and its bearer token. Of sessions and tokens only the SHA-256 is stored."""

import hashlib
import secrets

from starlette.datastructures import Headers

NAME = "signoria"
SECURE_NAME = "__Host-signoria"
"""Browsers accept a cookie with this name only over HTTPS and from this exact host."""
YEAR = 365 * 24 * 60 * 60
SECRET_BYTES = 32


def new_secret() -> str:
    """An unguessable secret: 32 random bytes, safe in headers and addresses."""
    return secrets.token_urlsafe(SECRET_BYTES)


def hashed(secret: str) -> str:
    """The hash by which a secret is stored and looked up."""
    return hashlib.sha256(secret.encode()).hexdigest()


def session_cookie(secret: str, *, secure: bool) -> str:
    """The Set-Cookie that starts or extends a session."""
    return _cookie(SECURE_NAME if secure else NAME, secret, YEAR, secure=secure)


def ended_cookie(*, secure: bool) -> str:
    """The Set-Cookie that ends a session."""
    return _cookie(SECURE_NAME if secure else NAME, "", 0, secure=secure)


def choice_cookie(name: str, value: str, *, secure: bool) -> str:
    """The Set-Cookie that keeps a choice of the reader, such as the language, for a year."""
    return _cookie(name, value, YEAR, secure=secure)


def cookie_in(headers: Headers, name: str) -> str | None:
    """The cookie of this name in a request; None if there is none.

    Its value is taken as it is. Python's own parser also removes quotes and backslashes, which our cookies never have; in
    older versions that takes time that grows with the square of the length, so one request could stop the server.
    """
    for line in headers.getlist("cookie"):
        for part in reversed(line.split(";")):
            found, _, value = part.partition("=")
            if found.strip() == name and (value := value.strip()):
                return value
    return None


def carried_secret(headers: Headers, *, secure: bool) -> str | None:
    """The session secret in a request."""
    return cookie_in(headers, SECURE_NAME if secure else NAME)


def carries_session(headers: Headers) -> bool:
    """Whether a request has a session cookie with either name."""
    return any(carried_secret(headers, secure=secure) for secure in (False, True))


def bearer(headers: Headers) -> str | None:
    """The token in a request."""
    kind, _, token = headers.get("authorization", "").partition(" ")
    return token.strip() or None if kind.lower() == "bearer" else None


def _cookie(name: str, value: str, age: int, *, secure: bool) -> str:
    return f"{name}={value}; Path=/; Max-Age={age}; HttpOnly; SameSite=Lax" + ("; Secure" if secure else "")
