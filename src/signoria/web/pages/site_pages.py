"""Pages that show no game: accounts, profiles, rankings, moderation, the API, errors."""

from signoria.web import models
from signoria.web.pages.frame import draw_page
from signoria.web.script_texts import notification_texts


def account(model: models.Account) -> str:
    """Name, password, tokens, ratings."""
    return draw_page("account.html", "account", model)


def sign_in(model: models.SignIn) -> str:
    """Name and password."""
    return draw_page("sign_in.html", "sign-in", model)


def notifications(model: models.NotificationsPage) -> str:
    """What the viewer is notified of, and how."""
    return draw_page("notifications.html", "notifications", model, texts=notification_texts(push=bool(model.push_key)))


def mail(model: models.MailPage) -> str:
    """The page of a link in an e-mail, or the form for a forgotten password."""
    return draw_page("mail.html", "mail", model)


def profile(model: models.ProfilePage) -> str:
    """A player and their statistics."""
    return draw_page("profile.html", "profile", model)


def moderation(model: models.ModerationPage) -> str:
    """Reports, what moderators can do, and the log."""
    return draw_page("moderation.html", "moderation", model)


def ratings(model: models.Ratings) -> str:
    """The ranking of players."""
    return draw_page("ratings.html", "ratings", model)


def programs(model: models.ProgramsPage) -> str:
    """The API reference."""
    return draw_page("programs.html", "programs", model)


def offline(model: models.Page) -> str:
    """What the installed app shows without a network."""
    return draw_page("offline.html", "offline", model)


def wrong(model: models.Wrong) -> str:
    """An error page."""
    return draw_page("wrong.html", "wrong", model)
