"""The catalogues of translations: made from the source, and compared with it.

``python -m tools.catalogues`` writes every message of the source into
``locale/LANG/LC_MESSAGES/p2pcards.po`` and keeps the translations that are there; messages that
are no longer used go. ``--check`` writes nothing, says what is missing, broken or left over, and
ends with status 1 when there is anything to say.

Messages are the arguments of ``_``, ``n_`` and ``N_``. The games and the network import no
interface, so the texts that they hand over are found where they are written: the capital
constants of ``TEMPLATES``, the arguments of ``choice`` and ``number`` in the options, those of
``t`` in the rules, and in the modules of ``CORE`` the templates of ``Worded`` texts and what errors
are raised with.
"""

from __future__ import annotations

import ast
import json
import re
import string
import sys
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path

from p2pcards.ui import i18n

SOURCE = Path(i18n.FOLDER).parent
TEMPLATES = ("games/belota_score.py", "games/belka_score.py")
"""Modules whose constants in capitals are the lines of score sheets."""
OPTIONS = ("games/belota_options.py", "games/belka_options.py")
"""Modules whose calls of ``choice`` and ``number`` hold what options mean."""
REASONS = "net/errors.py"
"""The module whose dictionary says in words why a connection failed."""
SAID = {
    "Worded": 0, "Trouble": 0, "Denied": 0, "drop": 1, "leave": 0, "close": 0, "refuse": 1,
    "same": 3, "_say": 0, "_refuse": 0, "_strike": 1, "_end": 1,
}  # fmt: skip
"""Calls in ``CORE`` that hand a text to the interface, which translates it, and where it is."""
CORE = ("net/", "protocol/", "crypto/", "bots/", "games/options.py", "files.py")
"""Where texts are written that know no language."""
BUGS = ("RuntimeError", "TypeError", "ValueError", "IllegalActionError")
"""Errors of ours that no person is to see, or that are put into words by what they hold."""
PLURALS = {
    "ro": "nplurals=3; plural=(n==1 ? 0 : (n==0 || (n%100>0 && n%100<20)) ? 1 : 2);",
    "ru": "nplurals=3; plural=(n%10==1 && n%100!=11 ? 0 : n%10>=2 && n%10<=4 && "
    "(n%100<10 || n%100>=20) ? 1 : 2);",
    "kk": "nplurals=1; plural=0;",
}
"""How each language counts, as the gettext manual writes it."""
FORMS = {"ro": 3, "ru": 3, "kk": 1}
_PARTS = string.Formatter()
SEATS = re.compile(r"\b(?:NS|EW)\b")
"""The teams' names in a line of a score sheet, in whose place the players' are put."""


def collect(root: Path = SOURCE) -> dict[str, list[str]]:
    """Every message id with the modules that use it; both ids of a plural are joined by NUL."""
    found: dict[str, list[str]] = {}
    for path in sorted(root.rglob("*.py")):
        name = path.relative_to(root).as_posix()
        tree = ast.parse(path.read_text(encoding="utf-8"), name)
        for message in _in_module(tree, name):
            places = found.setdefault(message, [])
            if name not in places:
                places.append(name)
    return found


def _in_module(tree: ast.Module, name: str) -> Iterator[str]:
    if name in TEMPLATES:
        yield from _constants(tree)
    for node in ast.walk(tree):
        if isinstance(node, ast.Dict) and name == REASONS:
            yield from _texts(node.values)
        if isinstance(node, ast.Raise) and name.startswith(CORE):
            yield from _raised(node)
        if not isinstance(node, ast.Call):
            continue
        called = node.func.attr if isinstance(node.func, ast.Attribute) else ast.unparse(node.func)
        match called:
            case word if word in SAID and name.startswith(CORE):
                yield from _texts(node.args[SAID[word] :][:1])
            case "_" | "N_":
                yield from _texts(node.args[:1])
            case "n_":
                both = list(_texts(node.args[:2]))
                yield from ["\0".join(both)] if len(both) == 2 else []
            case "t" if name.startswith("games/"):
                yield from _texts(node.args[:1])
            case "choice" | "number" if name in OPTIONS:
                yield from _texts(node.args[1:2])
                yield from _texts(word.value for word in node.keywords)


def _raised(node: ast.Raise) -> Iterator[str]:
    """The text, or the template of the text, that an error is raised with."""
    match node.exc:
        case ast.Call(func=ast.Name(id=error), args=[text, *_]) if error not in BUGS:
            yield from _texts([text])


def _constants(tree: ast.Module) -> Iterator[str]:
    """The texts of a module's constants in capitals."""
    for node in tree.body:
        if isinstance(node, ast.Assign) and all(
            isinstance(target, ast.Name) and target.id.isupper() for target in node.targets
        ):
            yield from _texts([node.value])


def _texts(nodes: Iterable[ast.expr]) -> Iterator[str]:
    for node in nodes:
        if isinstance(node, ast.Constant) and isinstance(node.value, str) and _is_said(node.value):
            yield node.value


def _is_said(text: str) -> bool:
    """Whether there is anything to translate in a message: a letter outside its placeholders."""
    try:
        return any(part[:1] and any(map(str.isalpha, part)) for part, *_ in _PARTS.parse(text))
    except ValueError:
        return True


def path_of(code: str) -> Path:
    """Where the catalogue of a language lies."""
    return i18n.FOLDER / code / "LC_MESSAGES" / i18n.FILE


def translations(code: str) -> dict[str, str]:
    """What is translated, by message id; forms of a plural joined by NUL. The head has no id."""
    path = path_of(code)
    return dict(i18n.entries(path.read_text(encoding="utf-8"))) if path.exists() else {}


def faults(code: str, wanted: Mapping[str, object], have: Mapping[str, str]) -> list[str]:
    """What is wrong with a catalogue, one line for each fault."""
    out = [f"{code}: missing: {key!r}" for key in wanted if key not in have]
    out += [f"{code}: not used: {key!r}" for key in have if key and key not in wanted]
    if f"Plural-Forms: {PLURALS[code]}" not in have.get("", ""):
        out.append(f"{code}: the head lacks its Plural-Forms")
    for key, text in have.items():
        ids, forms = key.split("\0"), text.split("\0")
        if key and len(forms) != (FORMS[code] if len(ids) == 2 else 1):
            out.append(f"{code}: wrong number of plural forms: {key!r}")
        if key and not all(fits(ids[-1], form) for form in forms):
            out.append(f"{code}: placeholders broken: {key!r}: {text!r}")
    return out


def fits(english: str, text: str) -> bool:
    """Whether a translation has the placeholders of the English text, and is padded like it.

    ``{n}`` may stand in words in a form of a plural.
    """
    try:
        lacks, more = names(english) - names(text), names(text) - names(english)
    except ValueError:
        return False
    teams = sorted(SEATS.findall(english)) == sorted(SEATS.findall(text))
    padded = english[:1].isspace() == text[:1].isspace()
    return not more and lacks <= {"n"} and teams and padded


def names(text: str) -> set[str]:
    """The placeholders of a text; raises ValueError when braces do not match."""
    return {name for _, name, _, _ in string.Formatter().parse(text) if name is not None}


def written(code: str, wanted: Mapping[str, list[str]], have: Mapping[str, str]) -> str:
    """The catalogue's text: messages in the order of the source, the missing ones marked."""
    head = (
        f"Language: {code}\nMIME-Version: 1.0\nContent-Type: text/plain; charset=UTF-8\n"
        f"Content-Transfer-Encoding: 8bit\nPlural-Forms: {PLURALS[code]}\n"
    )
    lines = "\n".join(_quoted(line) for line in head.splitlines(keepends=True))
    blocks = [f'# p2pcards in the language {code}\nmsgid ""\nmsgstr ""\n{lines}']
    blocks += [_entry(code, key, places, have.get(key, "")) for key, places in wanted.items()]
    return "\n\n".join(blocks) + "\n"


def _entry(code: str, key: str, places: list[str], text: str) -> str:
    ids, forms = key.split("\0"), text.split("\0")
    lines = [f"#: {' '.join(places)}"] + ([] if text else ["# NOT TRANSLATED YET"])
    lines.append(f"msgid {_quoted(ids[0])}")
    if len(ids) == 1:
        return "\n".join([*lines, f"msgstr {_quoted(forms[0])}"])
    lines.append(f"msgid_plural {_quoted(ids[1])}")
    forms = forms if text else [""] * FORMS[code]
    return "\n".join([*lines, *(f"msgstr[{i}] {_quoted(form)}" for i, form in enumerate(forms))])


def _quoted(text: str) -> str:
    return json.dumps(text, ensure_ascii=False)


def main(args: list[str]) -> int:
    """Write or check all catalogues."""
    wanted = collect()
    said: list[str] = []
    for code in PLURALS:
        have = translations(code)
        if "--check" not in args:
            path = path_of(code)
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(written(code, wanted, have), encoding="utf-8")
            have = translations(code)
        said += faults(code, wanted, have)
    print("\n".join(said) or f"{len(wanted)} messages in {', '.join(PLURALS)}")
    return 1 if said else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
