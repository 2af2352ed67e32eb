"""Real programs in real terminals: windows of tmux on a server of their own, driven by keys."""

from __future__ import annotations

import os
import re
import shlex
import shutil
import subprocess
import sys
import time
import uuid
from collections.abc import Callable
from pathlib import Path

HAS_TMUX = shutil.which("tmux") is not None
PATIENCE = 60.0
"""Seconds after which a test gives up waiting; nothing asserts how fast anything is."""
_ENDED = "~~ status {} ~~"


class Terminals:
    """Windows by name; each runs one command and then says its exit status."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self._socket = f"p2pcards-{uuid.uuid4().hex[:8]}"

    def __enter__(self) -> Terminals:
        return self

    def __exit__(self, *exc: object) -> None:
        self._tmux("kill-server", check=False)

    def open(self, name: str, args: str, size: tuple[int, int] = (80, 24), env: str = "") -> None:
        """Run ``p2pcards ARGS`` in a new window of this size."""
        program = f"{shlex.quote(sys.executable)} -m p2pcards {args}"
        say = 'printf "%s%s%s\\n" "~~ sta" "tus $?" " ~~"'
        script = f"env LC_ALL=C.UTF-8 {env} {program}; {say}; exec sleep 600"
        size_args = ("-x", str(size[0]), "-y", str(size[1]))
        self._tmux("-f", "/dev/null", "new-session", "-d", "-s", name, *size_args, script)

    def keys(self, name: str, *keys: str) -> None:
        """Press keys by their tmux names."""
        self._tmux("send-keys", "-t", name, *keys)

    def type(self, name: str, text: str) -> None:
        """Type a text as it is."""
        self._tmux("send-keys", "-t", name, "-l", text)

    def text(self, name: str) -> str:
        """What is on the window now."""
        return self._tmux("capture-pane", "-p", "-t", name)

    def resize(self, name: str, width: int, height: int) -> None:
        """Give a window another size."""
        self._tmux("resize-window", "-t", name, "-x", str(width), "-y", str(height))

    def pid(self, name: str) -> int:
        """The program's process id."""
        shell = self._tmux("display-message", "-p", "-t", name, "#{pane_pid}").strip()
        children = subprocess.run(
            ["pgrep", "-P", shell], capture_output=True, text=True, check=True
        )
        return int(children.stdout.split()[0])

    def on_full_screen(self, name: str) -> bool:
        """Whether the window shows the alternate screen."""
        return self._tmux("display-message", "-p", "-t", name, "#{alternate_on}").strip() == "1"

    def wait(self, name: str, wanted: str | Callable[[str], object]) -> str:
        """Wait until a window shows what is wanted (a pattern, or a test); its text then."""
        deadline = time.monotonic() + PATIENCE
        while True:
            text = self.text(name)
            found = wanted(text) if callable(wanted) else re.search(wanted, text)
            if found:
                return text
            assert time.monotonic() < deadline, f"{name} never showed {wanted!r}:\n{text}"
            time.sleep(0.05)

    def status(self, name: str) -> int:
        """Wait for the program's end; its exit status."""
        text = self.wait(name, r"~~ status \d+ ~~")
        match = re.search(r"~~ status (\d+) ~~", text)
        assert match is not None
        return int(match[1])

    def _tmux(self, *args: str, check: bool = True) -> str:
        env = {k: v for k, v in os.environ.items() if k not in ("TMUX", "TMUX_PANE", "NO_COLOR")}
        done = subprocess.run(
            ["tmux", "-L", self._socket, *args], capture_output=True, text=True, env=env,
            check=False,
        )  # fmt: skip
        assert done.returncode == 0 or not check, done.stderr
        return done.stdout


# -- reading a screen in any language ---------------------------------------------------------

BID = re.compile(r"[\[ ]1 [^\W\d][^│\n]*[\[ ]2 [^\W\d]")
"""The first of several bids to choose from."""
SHEET = re.compile(
    r"^[^\d\n]*[^\W\d] {3,}(\d+) +(\d+)\W*$|^\w+: \w+ \d+, \w+ \d+\W*$", re.MULTILINE
)
"""The last line of a score sheet: the scores of both sides."""
_CARD = re.compile(r"\(?(?:([1-8]):)?(?:10|[^\W\d]|[789])[♠♥♣♦]\)?")


def places(text: str) -> list[str]:
    """What stands below the cards of the own hand: the number of each that may be played."""
    for line in text.splitlines()[8:]:
        bare = line.split("│")[0]
        if re.fullmatch(r"\s*(\[?[1-8·]\]?)(\s+\[?[1-8·]\]?)*\s*", bare):
            return re.findall(r"[1-8·]", bare)
    out = []
    for line in text.splitlines()[7:10]:
        cards = [_CARD.fullmatch(word) for word in line.split()]
        if cards and all(cards):
            out += [card[1] or "·" for card in cards if card]
    return out


def progress(text: str) -> object:
    """What changes on one's screen with every own bid and card; in plain mode all of it."""
    if is_plain(text):
        return text
    return len(places(text)), bool(BID.search(text))


def is_plain(text: str) -> bool:
    """Whether these are lines with a prompt below."""
    return text.rstrip().endswith("\n>")


def next_keys(text: str) -> list[str]:
    """The keys a person presses who only reads the screen: first bid or first legal card."""
    if is_plain(text):
        lines = text.rstrip().splitlines()[-5:-1]
        return ["1", "Enter"] if any(re.search(r": 1 \S", line) for line in lines) else []
    if not re.search(r"← → 1-\d", text):
        return []
    if BID.search(text):
        return ["1", "Enter"]
    return [*[place for place in places(text) if place != "·"][:1], "Enter"]
