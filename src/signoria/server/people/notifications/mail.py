"""E-mail: writing messages, and sending them to the mail server."""

import asyncio
import hashlib
import re
from collections.abc import Sequence
from email.headerregistry import Address
from email.message import EmailMessage
from email.utils import formatdate, parseaddr
from importlib.util import find_spec
from typing import NamedTuple
from urllib.parse import unquote, urlsplit

from signoria.kernel.errors import BadOption
from signoria.kernel.language import language, say, say_count
from signoria.server.errors import BadField
from signoria.server.people.notifications.errors import SendingFailed, SendingRefused

TIMEOUT = 30.0
"""Seconds that the mail server may take for one answer."""
MOST_SECONDS = 60.0
"""Seconds that it may take for a whole message."""
LONGEST = 254
"""Characters of an address."""
_WORD, _LABEL = r"[A-Za-z0-9!#$%&'*+/=?^_`{|}~-]+", r"[A-Za-z0-9](?:[A-Za-z0-9-]{0,61}[A-Za-z0-9])?"
ADDRESS = re.compile(rf"(?=[^@]{{1,64}}@){_WORD}(?:\.{_WORD})*@(?:{_LABEL}\.)+(?=[A-Za-z0-9-]*[A-Za-z]){_LABEL}")
"""An address of RFC 5321 without quotes, at a host that has a name and not a number."""
DOT = re.compile(r"(?<=\w)\.(?=\w)")
"""A full stop inside a word."""
SCHEMES = {"smtp": 25, "smtp+starttls": 587, "smtps": 465}
"""Ways to reach a mail server, with their usual ports."""


class MailServer(NamedTuple):
    """Where e-mail is sent."""

    scheme: str
    host: str
    port: int
    user: str | None
    password: str | None


def clean_address(typed: str) -> str:
    """An e-mail address; raises `BadField`."""
    address = typed.strip()
    if len(address) > LONGEST or not ADDRESS.fullmatch(address):
        raise BadField("address", say("This is not an e-mail address. Example: anna@example.org."))
    return address


def unlinked(text: str) -> str:
    """A text in which mail programs find no address of a web site, with invisible word joiners (U+2060) after full stops.

    Otherwise a person called `www.example.org` could send links to everyone whom they invite.
    """
    return DOT.sub(".\u2060", text)


def mail_server(url: str) -> MailServer:
    """The mail server of a setting; raises `BadOption`."""
    no_server = BadOption(
        say(
            "SIGNORIA_SMTP is not the address of a mail server; examples: smtps://USER:PASSWORD@mail.example.org, "
            "smtp+starttls://USER:PASSWORD@mail.example.org:587, smtp://localhost:25."
        )
    )
    try:
        parts = urlsplit(url)
        port = parts.port
    except ValueError:
        raise no_server from None
    if parts.scheme not in SCHEMES or not parts.hostname:
        raise no_server
    user, password = (None if part is None else unquote(part) for part in (parts.username, parts.password))
    return MailServer(parts.scheme, parts.hostname, port or SCHEMES[parts.scheme], user, password)


class Mailer:
    """Writes and sends e-mail."""

    def __init__(self, url: str, sender: str | None, site: str | None) -> None:
        """Raises `BadOption` if a setting is missing or wrong."""
        if find_spec("aiosmtplib") is None:
            raise BadOption(say("SIGNORIA_SMTP needs the package aiosmtplib: pip install 'signoria[notifications]'."))
        if site is None:
            raise BadOption(
                say("SIGNORIA_SMTP also needs SIGNORIA_PUBLIC_URL, because e-mails contain links to the server.")
            )
        name, address = parseaddr(sender or "")
        if not ADDRESS.fullmatch(address):
            raise BadOption(say("SIGNORIA_SMTP also needs SIGNORIA_MAIL_FROM; example: Signoria <games@example.org>."))
        self.site = site
        self._server = mail_server(url)
        self._from = Address(display_name=name or "Signoria", addr_spec=address)
        self._domain = address.rpartition("@")[2]

    def about_account(self, to: str, subject: str, lines: Sequence[str], key: str, now: int) -> EmailMessage:
        """An e-mail about an account."""
        return self._message(to, subject, "\n\n".join(lines), key, now)

    def about_tables(
        self, to: str, told: Sequence[tuple[str, str]], unsubscribe: str, key: str, now: int
    ) -> EmailMessage:
        """An e-mail with notifications, each a sentence with the path of its page."""
        told = [(unlinked(sentence), path) for sentence, path in told]
        several = say_count("{n} message from your tables", "{n} messages from your tables", len(told))
        subject = told[0][0] if len(told) == 1 else several
        stop = f"{self.site}/mail/stop/{unsubscribe}"
        why = say(
            "You get this e-mail because you asked for it at {site}. To change what you get: {settings}",
            site=self.site,
            settings=f"{self.site}/account/notifications",
        )
        end = say("To get no more e-mail: {stop}", stop=stop)
        body = "\n\n".join(f"{sentence}\n{self.site}{path}" for sentence, path in told)
        message = self._message(to, subject, f"{body}\n\n-- \n{why}\n{end}", key, now)
        message["List-Unsubscribe"] = f"<{stop}>"
        message["List-Unsubscribe-Post"] = "List-Unsubscribe=One-Click"
        return message

    def _message(self, to: str, subject: str, body: str, key: str, now: int) -> EmailMessage:
        message = EmailMessage()
        message["From"] = self._from
        message["To"] = Address(addr_spec=to)
        message["Subject"] = subject
        message["Date"] = formatdate(now / 1000)
        # The same when it is sent again after a crash, so that mail programs show it once.
        message["Message-ID"] = f"<{hashlib.sha256(key.encode()).hexdigest()[:40]}@{self._domain}>"
        message["Auto-Submitted"] = "auto-generated"
        message.set_content(body + "\n")
        message["Content-Language"] = language()
        return message

    async def send(self, message: EmailMessage) -> None:
        """Send an e-mail; raises `SendingFailed` or `SendingRefused`."""
        import aiosmtplib  # an optional dependency

        server = self._server
        try:
            async with asyncio.timeout(MOST_SECONDS):
                await aiosmtplib.send(
                    message,
                    hostname=server.host,
                    port=server.port,
                    username=server.user,
                    password=server.password,
                    use_tls=server.scheme == "smtps",
                    start_tls=server.scheme == "smtp+starttls",
                    timeout=TIMEOUT,
                )
        except aiosmtplib.SMTPRecipientsRefused as error:
            codes = [refused.code for refused in error.recipients]
            if codes and all(500 <= code < 600 for code in codes):
                raise SendingRefused("The mail server does not accept the address.") from None
            raise SendingFailed("The mail server does not accept the address now.") from None
        except aiosmtplib.SMTPResponseException as error:
            raise SendingFailed(f"The mail server answered with {error.code}.") from None
        except (aiosmtplib.SMTPException, OSError, ValueError) as error:
            raise SendingFailed(f"The mail server could not be reached: {type(error).__name__}.") from None
