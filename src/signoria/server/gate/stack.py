"""The gate as a whole: what every request passes, from the outside in."""

from starlette.middleware import Middleware

from signoria.server.gate.asking import Asking
from signoria.server.gate.headers import Headers
from signoria.server.gate.origin import Origin
from signoria.server.gate.people import People
from signoria.server.gate.problems import DrawWrong, Problems
from signoria.server.gate.rate import Limits, Rated
from signoria.server.gate.size import Size
from signoria.server.gate.watch import Watch
from signoria.server.metrics import Metrics
from signoria.server.settings import Settings


def gate(
    settings: Settings, *, metrics: Metrics, limits: Limits, people: People, draw: DrawWrong
) -> tuple[Middleware, ...]:
    """For `Starlette(middleware=...)`. Every refusal within is noted, has the headers, and becomes an answer."""
    return (
        Middleware(Watch, metrics=metrics),
        Middleware(Headers, secure=settings.secure),
        Middleware(Problems, draw=draw),
        Middleware(Origin, public_origin=settings.public_origin, hosts=settings.hosts),
        Middleware(Rated, limits=limits),
        Middleware(Size),
        Middleware(Asking, people=people),
    )
