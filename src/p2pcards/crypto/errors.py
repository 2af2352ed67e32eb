"""What a verification can say no with; nothing else leaves a ``verify`` function."""

from __future__ import annotations


class CryptoError(ValueError):
    """The base of all refusals of this layer."""


class EncodingError(CryptoError):
    """The bytes are not the points and scalars they should be; the text says which."""


class ProofError(CryptoError):
    """A proof does not hold. It says no more than that."""


class PartsError(ProofError):
    """Key parts that do not fit; ``seats`` are those whose parts are wrong."""

    def __init__(self, text: str, seats: tuple[int, ...]) -> None:
        super().__init__(text)
        self.seats = seats


class CannotProveError(CryptoError):
    """Our own statement is false, so there is nothing to prove; nothing must be sent."""
