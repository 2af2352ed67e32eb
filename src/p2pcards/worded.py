"""Texts that can be put into the language of whoever reads them."""

from __future__ import annotations

from typing import Self


class Worded(str):
    """An English text that remembers the template and the values it was made of.

    It is a text like any other, so it passes through events, errors and records unchanged;
    whoever shows it to a person translates the template. A value may be such a text itself, or
    an error that holds one.
    """

    template: str
    values: dict[str, object]

    def __new__(cls, template: str, /, **values: object) -> Self:
        """Fill in the values' English forms; a template without values is taken as it is."""
        self = super().__new__(cls, template.format(**values) if values else template)
        self.template, self.values = template, values
        return self


class WordedError(ValueError):
    """An error made of an English template and its values."""

    def __init__(self, template: str, /, **values: object) -> None:
        super().__init__(Worded(template, **values))


def worded(text: str) -> Worded:
    """The text as one that is translated where it is shown, if it is not one already."""
    return text if isinstance(text, Worded) else Worded(text)


def text_of(error: BaseException) -> Worded:
    """What an error says, with the template it was raised with, if there was one."""
    first = error.args[0] if error.args else None
    return first if isinstance(first, Worded) else Worded(str(error))
