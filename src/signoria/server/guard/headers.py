"""Middleware that sets security headers and forbids caching, except for static files."""

from starlette.datastructures import MutableHeaders
from starlette.types import ASGIApp, Message, Receive, Scope, Send

CONTENT_SECURITY_POLICY = "; ".join(
    (
        "default-src 'none'",
        "script-src 'self'",
        "style-src 'self'",
        "img-src 'self' data:",
        "font-src 'self'",
        "connect-src 'self'",
        "manifest-src 'self'",
        "worker-src 'self'",
        "form-action 'self'",
        "base-uri 'none'",
        "frame-ancestors 'none'",
    )
)
UNUSED_FEATURES = ("camera", "display-capture", "geolocation", "microphone", "payment", "usb", "browsing-topics")

ALWAYS = {
    "Content-Security-Policy": CONTENT_SECURITY_POLICY,
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "same-origin",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Permissions-Policy": ", ".join(f"{feature}=()" for feature in UNUSED_FEATURES),
}
FRAMED = CONTENT_SECURITY_POLICY.replace("frame-ancestors 'none'", "frame-ancestors *").replace(
    "form-action 'self'", "form-action 'none'"
)
"""For replays in pages of other sites: they use no session and have no forms."""
EMBEDDED = "/embed/"
PICTURES = ("/picture.png", "/picture.svg")
YEAR = 365 * 24 * 60 * 60


class SecurityHeadersMiddleware:
    """Sets the headers of every response. A response's own caching headers stay."""

    def __init__(self, app: ASGIApp, *, secure: bool) -> None:
        self.app = app
        self.always = ALWAYS | ({"Strict-Transport-Security": f"max-age={YEAR}"} if secure else {})

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Respond with the headers set."""
        if scope["type"] != "http":
            await self.app(scope, receive, send)
            return

        async def send_with_headers(message: Message) -> None:
            if message["type"] == "http.response.start":
                headers = MutableHeaders(scope=message)
                headers.update(self.always)
                if scope["path"].startswith(EMBEDDED):
                    headers["Content-Security-Policy"] = FRAMED
                if scope["path"].endswith(PICTURES):
                    headers["Cross-Origin-Resource-Policy"] = "cross-origin"
                headers.setdefault("Cache-Control", "no-store")
            await send(message)

        await self.app(scope, receive, send_with_headers)
