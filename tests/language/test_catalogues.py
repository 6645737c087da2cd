"""Catalogues are up to date, translations keep placeholders and tags, and no text is left unmarked."""

import ast
import re
from pathlib import Path
from string import Formatter

import pytest
from babel.messages.catalog import Catalog, Message

from signoria.kernel.language import ENGLISH, LANGUAGES, PSEUDO, Texts, say, say_count, speaking
from signoria.kernel.pseudo import pseudo
from signoria.web.environment import environment
from tests.language.messages import SOURCES, Package, all_catalogues, languages, marked, packages
from tests.language.unmarked import unmarked

PLACES = re.compile(r"%\((\w+)\)s|(</?\w+[^<>]*>)")
"""Placeholders of templates, and tags with their addresses, which a translation must keep."""
ERRORS = re.compile(
    r"BadField|Conflict|NotAllowed|NotFound|SignInFirst|TooMany|Unavailable|BadOption|BadRecord|NoUndo|NotOver"
    r"|IllegalStep|StaleVersion|NotSure|OtherRules|NameTaken|TooLarge|RequestTimeout|Notice|Refusal|Reason|Clause|CheckLine"
)
FOR_ADMINISTRATORS = re.compile(
    r"soak/|server/bench/|arena/|batch/|lab/|env/|store/|train/|bots/simulation"
    r"|cli/(admin/|arena|bench|deck|exploit|gate|lab|perft|simulate|soak|train)"
)
"""Code whose errors are for people who run a server, or write programs and bots: they stay English."""
WITHOUT_WORDS = {
    *("symbols", "use", "skyline", "laurel", "static_url", "find_board", "boards", "_templates_of", "mark", "_post"),
    *(
        "in_single_quotes",
        "step_value",
        "begin",
        "_symbols",
        "_beginning",
        "face",
        "cards",
        "land",
        "border",
        "silhouette",
    ),
    *(
        "building",
        "_founding",
        "encode_step",
        "guided_games",
        "parts",
        "_made",
        "_commitment",
        "_decoder",
        "_well_packed",
        "known_plain",
        "_load",
    ),
    "zones",
    *("installed", "_in_order", "_counted_as", "draw_order_forms", "_cards"),
    *("paper", "_paper", "towns"),  # drawings and places, without words
    *("_printed", "_known"),  # cards and clauses by their ids
    *("field_docs", "_classes", "_description", "choices_at"),  # the reference of the API, which is English
}
"""Cached functions whose results have no words, or only names that are the same in every language."""


def places(text: str, braces: bool) -> set[str]:
    """What a translation of a message must keep."""
    found = {name or tag for name, tag in PLACES.findall(text)}
    if braces:
        gaps = [(name, kind, spec) for _, name, spec, kind in Formatter().parse(text) if name is not None]
        found |= {f"{{{name}!{kind}:{spec}}}" for name, kind, spec in gaps}
    return found


def forms(message: Message) -> tuple[str, ...]:
    """The translations of a message: one, or a singular and a plural."""
    return tuple(message.string) if isinstance(message.string, tuple | list) else (message.string or "",)


def sources(message: Message) -> tuple[str, ...]:
    """The message itself: one text, or a singular and a plural."""
    return tuple(message.id) if isinstance(message.id, tuple | list) else (message.id,)


def messages(catalogue: Catalog) -> list[Message]:
    """All messages of a catalogue, without its head."""
    return [message for message in catalogue if message.id]


@pytest.mark.parametrize("package", packages(), ids=lambda package: package.name)
def test_catalogues_have_exactly_the_messages_of_the_source(package: Package) -> None:
    wanted = {(one.context, one.id) for one in messages(marked(package))}
    for other, language, found in all_catalogues():
        if other == package:
            kept = {(one.context, one.id) for one in messages(found)}
            assert (language, kept ^ wanted) == (language, set()), "run `make messages`"


def test_messages_are_words_and_not_code() -> None:
    code = re.compile(r"^[/?&#]\w|hx-|\b(method|action|href|class|id)=(?!\"[^\"]*\"[^<]*>)|^\W+$")
    texts = [text for package in packages() for one in messages(marked(package)) for text in sources(one)]
    assert [text for text in texts if code.search(text)] == []


@pytest.mark.parametrize("language", languages())
def test_no_message_is_fuzzy_or_obsolete(language: str) -> None:
    for package, other, found in all_catalogues():
        if other == language:
            assert [one.id for one in messages(found) if one.fuzzy] == [], package.name
            assert list(found.obsolete) == [], package.name


@pytest.mark.parametrize("language", languages())
def test_translations_keep_placeholders_tags_and_addresses(language: str) -> None:
    wrong = []
    for package, other, found in all_catalogues():
        for one in messages(found) if other == language else ():
            braces = "python-format" not in one.flags
            possible = [places(source, braces) for source in sources(one)]
            wrong += [
                f"{package.name}: {sources(one)[-1]!r} -> {text!r}"
                for text in forms(one)
                if text and places(text, braces) not in possible
            ]
    assert wrong == []


@pytest.mark.parametrize("language", languages())
def test_translations_end_as_their_messages_do(language: str) -> None:
    """A sentence stays a sentence, and a label a label; no space is lost where texts are joined."""
    ends = str.maketrans("", "", "»”“'\"\N{NO-BREAK SPACE}\N{NARROW NO-BREAK SPACE}")
    wrong = [
        f"{package.name}: {source!r} -> {text!r}"
        for package, other, found in all_catalogues()
        if other == language
        for one in messages(found)
        for source, text in zip(sources(one), forms(one), strict=False)
        if text
        and (
            (source[-1] in ".?!:") != (text.translate(ends).rstrip()[-1:] in tuple(".?!:"))
            or source[:1].isspace() != text[:1].isspace()
            or source[-1:].isspace() != text[-1:].isspace()
        )
    ]
    assert wrong == []


def test_every_text_of_a_template_is_marked() -> None:
    found = [
        f"{path.relative_to(SOURCES)}:{one.line}: {one.text}"
        for path in sorted(SOURCES.rglob("templates/*.html"))
        for one in unmarked(path.read_text("utf-8"), environment())
    ]
    assert found == []


def unmarked_errors(path: Path) -> list[str]:
    """Errors, clauses and refusals with a sentence that nobody can translate."""
    found = []
    for node in ast.walk(ast.parse(path.read_text("utf-8"))):
        if not isinstance(node, ast.Call) or not ERRORS.fullmatch(getattr(node.func, "id", "")):
            continue
        given = [
            *node.args,
            *(one.value for one in node.keywords if one.arg in ("says", "title", "ruling", "possible")),
        ]
        for value in given:
            plain = isinstance(value, ast.Constant) and isinstance(value.value, str) and " " in value.value
            glued = isinstance(value, ast.JoinedStr) and any(
                isinstance(part, ast.Constant) and re.search("[a-z]{2} | [a-z]{2}", str(part.value))
                for part in value.values
            )
            if plain or glued:
                found.append(f"{path.relative_to(SOURCES)}:{value.lineno}: {ast.unparse(value)[:100]}")
    return found


def test_every_refusal_is_marked() -> None:
    told = [
        path
        for path in sorted(SOURCES.rglob("*.py"))
        if not FOR_ADMINISTRATORS.match(path.relative_to(SOURCES).as_posix())
    ]
    assert [line for path in told for line in unmarked_errors(path)] == []


def test_finding_texts_without_marks() -> None:
    source = '<p title="Two words">{% trans %}Marked{% endtrans %} left out</p>{{ "Also this" }}<code>code</code>'
    assert [one.text for one in unmarked(source, environment())] == ["Two words", "left out", "Also this"]


def test_what_is_kept_for_several_readers_is_kept_per_language() -> None:
    wrong = [
        f"{path.relative_to(SOURCES)}: {found[1]}"
        for path in sorted(SOURCES.rglob("*.py"))
        if path.relative_to(SOURCES).parts[0] in ("web", "server", "games")
        and not {"rulebook", "bench"}.intersection(path.parts)
        for found in re.finditer(r"@(?:lru_cache|cache)\b.*\n(?:async )?def (\w+)", path.read_text("utf-8"))
        if found[1] not in WITHOUT_WORDS
    ]
    assert wrong == [], "use `per_language`, or list it in WITHOUT_WORDS if its results have no words"


def test_pseudo_language_marks_every_text_and_keeps_its_values() -> None:
    with speaking(PSEUDO):
        assert say("Seat {n}", n=3) == pseudo("Seat {n}").format(n=3)
        assert "⟦" in say_count("{n} player", "{n} players", 2)
    assert say("Seat {n}", n=3) == "Seat 3"


def test_unknown_messages_and_languages_without_catalogue_stay_english(tmp_path: Path) -> None:
    texts = Texts("nothing", tmp_path)
    for language in (ENGLISH, *languages()):
        with speaking(language):
            assert texts.say("Hello {name}", name="Anna") == "Hello Anna"
            assert texts.say_count("{n} cat", "{n} cats", 2) == "2 cats"
    assert set(languages()) | {ENGLISH} == set(LANGUAGES)


def test_package_brings_its_own_catalogue(tmp_path: Path) -> None:
    """A game in another package is translated by the catalogues in its own folder, and by the program's for the rest."""
    folder = tmp_path / "locale/it/LC_MESSAGES"
    folder.mkdir(parents=True)
    head = 'msgid ""\nmsgstr "Content-Type: text/plain; charset=utf-8\\nLanguage: it\\n"\n\n'
    (folder / "messages.po").write_text(f'{head}msgid "Hello {{name}}"\nmsgstr "Ciao {{name}}"\n', "utf-8")
    texts = Texts("elsewhere", tmp_path)
    with speaking("it"):
        assert texts.say("Hello {name}", name="Anna") == "Ciao Anna"
    assert texts.say("Hello {name}", name="Anna") == "Hello Anna"
