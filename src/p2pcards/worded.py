"""Errors whose text can be put into the language of whoever reads it."""

from __future__ import annotations


class WordedError(ValueError):
    """An error made of an English template and its values, kept apart for translation."""

    def __init__(self, template: str, **values: object) -> None:
        super().__init__(template.format(**values) if values else template)
        self.template = template
        self.values = values
