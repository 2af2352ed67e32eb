"""Numbers that every implementation must share, and the version that names them."""

from __future__ import annotations

VERSION = 1
"""The wire version; peers of different versions refuse each other."""

LABEL = b"p2pcards/1"
"""The start of every domain label of this version."""

ENVELOPE_MAX = 32_768
"""Bytes of one signed envelope; the largest honest one, a shuffle, has about 6,600."""

AHEAD_MAX = 12
"""Steps ahead of the present one whose envelopes are held; an honest peer is at most 5 ahead."""

HELD_MAX = 48
"""Envelopes held for later steps, a quarter of them for each player: one for each step ahead."""

NAME_MAX = 32
"""Characters of a nickname or a table's name."""

ADDRESSES_MAX = 8
"""Addresses a player may list in the roster."""

ADDRESS_MAX = 64
"""Characters of one address, ``host:port``."""

OPTIONS_MAX = 32
"""Options in a roster."""

SEATS_ALL = frozenset((0, 1, 2, 3))
"""The four seats."""
DEADLINE = 20
"""Default seconds for a step that needs no thought."""
THINK = 120
"""Default seconds a person has for a bid or a card."""
