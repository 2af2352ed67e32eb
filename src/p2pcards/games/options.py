"""Rule options: what a table may agree on, typed, documented and in one canonical text form.

Each game has a frozen dataclass whose fields are made by :func:`choice` or :func:`number`.
Everything that speaks of options (parsing, the roster's hash, the rules text, the lobby) reads
those fields, so that an option exists in one place only.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import Field, dataclass, field, fields
from typing import Any, ClassVar, Self

from p2pcards.worded import WordedError


class OptionError(WordedError):
    """An option or value that this game does not know; the message lists the valid ones."""


@dataclass(frozen=True, slots=True)
class Choices:
    """An option with a closed list of values and, for each, what it means in words."""

    text: str
    meanings: tuple[tuple[str, str], ...]

    @property
    def values(self) -> tuple[str, ...]:
        """The values that may be written."""
        return tuple(value for value, _ in self.meanings)

    def parse(self, key: str, text: str) -> str:
        """The value written, or :class:`OptionError`."""
        if text not in self.values:
            known = ", ".join(self.values)
            raise OptionError(
                "{key}={value}: the values are {values}", key=key, value=text, values=known
            )
        return text


@dataclass(frozen=True, slots=True)
class Numbers:
    """An option whose value is a whole number within bounds, or one of a few."""

    text: str
    least: int
    most: int
    only: tuple[int, ...] = ()

    def allowed(self) -> str:
        """The values that may be written, in words."""
        if not self.only:
            return f"{self.least} to {self.most}"
        return ", ".join(map(str, self.only))

    def parse(self, key: str, text: str) -> int:
        """The number written, or :class:`OptionError`."""
        value = int(text) if text.isascii() and text.isdecimal() and len(text) <= 5 else -1
        fits = self.least <= value <= self.most and value in (self.only or (value,))
        if fits and str(value) == text:
            return value
        if self.only:
            raise OptionError(
                "{key}={value}: the values are {values}", key=key, value=text,
                values=self.allowed(),
            )  # fmt: skip
        raise OptionError(
            "{key}={value}: the values are {least} to {most}", key=key, value=text,
            least=self.least, most=self.most,
        )  # fmt: skip


def choice(default: str, text: str, **meanings: str) -> Any:
    """A dataclass field for an option with named values; ``meanings`` explains each."""
    spec = Choices(text, tuple(meanings.items()))
    return field(default=default, metadata={"spec": spec})


def number(default: int, text: str, least: int, most: int, only: tuple[int, ...] = ()) -> Any:
    """A dataclass field for an option with a whole number as its value."""
    return field(default=default, metadata={"spec": Numbers(text, least, most, only)})


@dataclass(frozen=True, slots=True)
class Options:
    """The base of each game's options; subclasses add the fields.

    ``presets`` names sets of values that ``preset=NAME`` stands for; ``default`` always exists.
    """

    presets: ClassVar[Mapping[str, Mapping[str, str]]] = {}

    @classmethod
    def specs(cls) -> tuple[tuple[str, Choices | Numbers, str], ...]:
        """Each option's key, specification and default, in the order of the fields."""
        return tuple((f.name, _spec(f), str(f.default)) for f in fields(cls))

    @classmethod
    def parse(cls, items: Mapping[str, str]) -> Self:
        """Options from texts; a preset is applied first, whatever its place.

        Raises:
            OptionError: an unknown key or value, with the valid ones in the message.
        """
        texts = dict(items)
        preset = texts.pop("preset", "default")
        if preset != "default" and preset not in cls.presets:
            known = ", ".join(("default", *cls.presets))
            raise OptionError(
                "{key}={value}: the values are {values}", key="preset", value=preset, values=known
            )
        texts = {**cls.presets.get(preset, {}), **texts}
        known_specs = {f.name: _spec(f) for f in fields(cls)}
        values: dict[str, Any] = {}
        for key, text in texts.items():
            if key not in known_specs:
                known = ", ".join(("preset", *known_specs))
                raise OptionError(
                    "unknown option {key}: the options are {known}", key=key, known=known
                )
            values[key] = known_specs[key].parse(key, text)
        return cls(**values)

    def items(self) -> tuple[tuple[str, str], ...]:
        """Every option with its value as text, sorted by key: the canonical form that is signed."""
        return tuple(sorted((f.name, str(getattr(self, f.name))) for f in fields(self)))

    def meaning(self, key: str) -> str:
        """What this table's value of an option with named values means, as a sentence."""
        spec = next(spec for name, spec, _ in self.specs() if name == key)
        if not isinstance(spec, Choices):
            raise TypeError(f"option {key} is a number")
        return dict(spec.meanings)[str(getattr(self, key))]

    def differences(self) -> tuple[tuple[str, str, str], ...]:
        """The options that differ from the defaults: key, value here, default."""
        return tuple(
            (f.name, str(getattr(self, f.name)), str(f.default))
            for f in fields(self)
            if getattr(self, f.name) != f.default
        )


def _spec(item: Field[Any]) -> Choices | Numbers:
    spec = item.metadata["spec"]
    if not isinstance(spec, Choices | Numbers):
        raise TypeError(f"option {item.name} has no specification")
    return spec
