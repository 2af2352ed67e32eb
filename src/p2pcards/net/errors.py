"""What every failure of the network layer has in common, and how its cause is put in words."""

from __future__ import annotations

import errno
import ssl
import sys
from collections.abc import Iterable

from p2pcards.worded import Worded, text_of, worded

_MAX_CAUSES = 8
_REASONS = {
    errno.ECONNREFUSED: "nothing listens there",
    errno.ECONNRESET: "the other side cut the connection",
    errno.EPIPE: "the other side cut the connection",
    errno.ETIMEDOUT: "no answer in time",
    errno.EADDRINUSE: "the port is taken by another program",
    errno.EADDRNOTAVAIL: "this machine does not have that address",
    errno.ENETUNREACH: "this machine has no network that leads there",
    errno.ENETDOWN: "the network is down",
    errno.ENODEV: "no interface of this machine can carry it",
    errno.EACCES: "the system does not allow it",
    errno.EPERM: "the system or a firewall does not allow it",
    errno.EHOSTUNREACH: "no route to that host",
    errno.EMFILE: "this program has too many files open",
    errno.ENOSPC: "the disk is full",
}
_MAC_HINT = "on macOS allow this terminal under Privacy & Security, Local Network"


class NetError(Exception):
    """Something in the network layer failed; the text says what, with whom, and what to do."""


def explain(error: BaseException) -> str:
    """Say in words why a connection failed.

    trio reports a broken stream as such and keeps the reason in ``__cause__``; the innermost
    reason that can be named wins, unless one of our own errors says it already.
    """
    words = ""
    cause: BaseException | None = error
    for _ in range(_MAX_CAUSES):
        if cause is None:
            break
        if isinstance(cause, NetError):
            return text_of(cause)
        words = _one(cause) or words
        cause = cause.__cause__ or cause.__context__
    return worded(words or str(error) or type(error).__name__)


def listed(reasons: Iterable[str]) -> str:
    """Several reasons in one text, each once; there is at least one."""
    text, *others = dict.fromkeys(reasons)
    for more in others:
        text = Worded("{text}; {more}", text=text, more=more)
    return text


def _one(error: BaseException) -> str:
    if isinstance(error, ssl.SSLCertVerificationError):
        return Worded("TLS: its certificate was refused ({why})", why=error.verify_message)
    if isinstance(error, ssl.SSLEOFError):
        return Worded("the other side ended the connection without a word")
    if isinstance(error, ssl.SSLError):
        reason = (error.reason or "handshake failed").replace("_", " ").lower()
        return Worded("TLS: {why}", why=reason)
    if isinstance(error, BaseExceptionGroup):
        return listed(explain(one) for one in error.exceptions[:_MAX_CAUSES])
    if isinstance(error, OSError) and error.errno is not None:
        words = _REASONS.get(error.errno, error.strerror or "input or output failed")
        mac = sys.platform == "darwin" and error.errno == errno.EHOSTUNREACH
        return listed((words, _MAC_HINT)) if mac else words
    return ""
