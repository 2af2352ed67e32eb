"""One way for every text a person sees: ``_("English with {place}", place=...)``.

The English text is the message id. Catalogues are ``locale/LANG/LC_MESSAGES/p2pcards.po``; they
are read as they are, so that nothing needs to be compiled, and handed to gettext, which knows
about plural forms. A translation that breaks its placeholders is passed over for English.
"""

from __future__ import annotations

import ast
import gettext
import io
import os
import struct
from collections.abc import Iterator, Mapping
from pathlib import Path

from p2pcards.worded import Worded, text_of

FOLDER = Path(__file__).parent.parent / "locale"
FILE = "p2pcards.po"
LANGUAGES: Mapping[str, str] = {
    "en": "English",
    "ro": "Română",
    "ru": "Русский",
    "kk": "Қазақша",
}
"""The languages by code, each in its own name."""

_catalogue: gettext.NullTranslations = gettext.NullTranslations()
_language = "en"


def _(message: str, /, **values: object) -> str:
    """The message in the language chosen, with its placeholders filled in.

    Values that are worded texts, or errors, are put into that language too.
    """
    if isinstance(message, Worded) and not values:
        return _(message.template, **message.values)
    # The empty message is the catalogue's head, which is not for people.
    return _fill(_catalogue.gettext(message), message, values) if message else ""


def n_(one: str, many: str, n: int, /, **values: object) -> str:
    """The form of the message that goes with the number ``n``, which fills ``{n}`` too."""
    values = {"n": n, **values}
    return _fill(_catalogue.ngettext(one, many, n), one if n == 1 else many, values)


def why(error: BaseException) -> str:
    """What an error says, in the language chosen as far as the catalogues know it."""
    return _(text_of(error))


def N_(message: str) -> str:
    """Mark a text for the catalogues that is translated later, where it is shown."""
    return message


def _fill(text: str, english: str, values: Mapping[str, object]) -> str:
    if not values:
        return text
    spoken = {name: _spoken(value) for name, value in values.items()}
    try:
        return text.format(**spoken)
    except (LookupError, ValueError):
        return english.format(**spoken)


def _spoken(value: object) -> object:
    if isinstance(value, BaseException):
        return why(value)
    return _(value) if isinstance(value, Worded) else value


def language() -> str:
    """The code of the language in use."""
    return _language


def choose(wanted: str | None = None) -> str:
    """Use this language, or with None the one of the locale; the code of what is used now."""
    global _catalogue, _language
    code = wanted or from_locale()
    if code not in LANGUAGES:
        code = "en"
    found = load(FOLDER / code / "LC_MESSAGES" / FILE) if code != "en" else None
    _catalogue = found or gettext.NullTranslations()
    _language = code if found else "en"
    return _language


def from_locale(environ: Mapping[str, str] = os.environ) -> str:
    """The language that the environment asks for, as gettext does: LANGUAGE, LC_ALL, ..."""
    for key in ("LANGUAGE", "LC_ALL", "LC_MESSAGES", "LANG"):
        for item in environ.get(key, "").split(":"):
            code = item.split(".")[0].split("_")[0].lower()
            if code in LANGUAGES:
                return code
            if code in ("c", "posix"):
                return "en"
    return "en"


def load(path: Path) -> gettext.NullTranslations | None:
    """The catalogue in a ``.po`` file, or None when there is none that can be read."""
    try:
        text = path.read_text(encoding="utf-8")
        return gettext.GNUTranslations(io.BytesIO(_machine_form(dict(entries(text)))))
    except (OSError, UnicodeError, ValueError, SyntaxError):
        return None


def entries(text: str) -> Iterator[tuple[str, str]]:
    """The translated messages of a ``.po`` text: ids and translations as gettext joins them.

    A message with plural forms has both ids, and all its translations, joined by NUL. Entries
    that are fuzzy or not translated yet are left out. Raises SyntaxError or ValueError.
    """
    for block in text.replace("\r\n", "\n").split("\n\n"):
        fields: dict[str, str] = {}
        key, fuzzy = "", False
        for raw in block.split("\n"):
            line = raw.strip()
            if line.startswith("#"):
                fuzzy = fuzzy or (line.startswith("#,") and "fuzzy" in line)
            elif line:
                word, quote, rest = line.partition('"')
                key = word.strip() or key
                fields[key] = fields.get(key, "") + _unquoted(quote + rest)
        if "msgid" not in fields or fuzzy:
            continue
        ids = [fields[k] for k in ("msgid", "msgid_plural") if k in fields]
        texts = [v for k, v in fields.items() if k.startswith("msgstr")]
        if texts and all(texts):
            yield "\0".join(ids), "\0".join(texts)


def _unquoted(literal: str) -> str:
    """The text between quotes; most lines have no escapes and need no parser."""
    inner = literal[1:-1]
    if "\\" not in inner and '"' not in inner and literal == f'"{inner}"':
        return inner
    return str(ast.literal_eval(literal))


def _machine_form(messages: Mapping[str, str]) -> bytes:
    """The messages as the bytes of a ``.mo`` file (GNU gettext manual, "The Format of GNU MO")."""
    pairs = [(k.encode(), v.encode()) for k, v in sorted(messages.items())]
    count = len(pairs)
    start = 28 + 16 * count
    tables: list[bytes] = []
    body = b""
    for column in (0, 1):
        for pair in pairs:
            tables.append(struct.pack("<II", len(pair[column]), start + len(body)))
            body += pair[column] + b"\0"
    head = struct.pack("<7I", 0x950412DE, 0, count, 28, 28 + 8 * count, 0, 28 + 16 * count)
    return head + b"".join(tables) + body
