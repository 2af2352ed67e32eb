"""What a person is told when the program itself is at fault."""

from __future__ import annotations

import contextlib
import tempfile
import traceback

from p2pcards import __version__
from p2pcards.commands import common
from p2pcards.ui.i18n import _

STATUS = 70
"""The exit status then, by the custom of sysexits.h."""


def told(error: BaseException) -> int:
    """Say so in a line or two, and keep the details in a file for a report; the exit status."""
    details = "".join(traceback.format_exception(error))
    path = ""
    with (
        contextlib.suppress(OSError),
        tempfile.NamedTemporaryFile(
            "w", prefix="p2pcards-fault-", suffix=".txt", delete=False, encoding="utf-8"
        ) as file,
    ):
        file.write(f"p2pcards {__version__}\n\n{details}")
        path = file.name
    kind = type(common.first(error)).__name__
    text = _("p2pcards has made a mistake of its own ({kind}) and must end", kind=kind)
    common.say(text)
    if path:
        common.say(_("what it was doing is in {path}: please report it; a game left in the "
                     "middle can be come back to", path=path))  # fmt: skip
    else:
        common.say(details)
    with contextlib.suppress(OSError):
        common.told(STATUS, text)
    return STATUS
