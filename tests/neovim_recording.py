"""Frames of a Neovim's screen, as an asciicast and as an animated picture."""

from __future__ import annotations

import json
import time
from html import escape
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pathlib import Path

    from neovim_client import Screen

__all__ = ["Recording"]

#: Longer pauses are cut to this, and shorter ones are one frame.
LONGEST, SHORTEST = 2.5, 0.04

WIDTH, HEIGHT = 8.4, 18
BACKGROUND, FOREGROUND = "#14161b", "#e0e2ea"

#: A run of cells that look alike: text, and its style.
Run = tuple[str, str, str, bool]


class Recording:
    """What was on a screen, and when.

    Args:
        columns: The screen's width.
        rows: Its height.
    """

    def __init__(self, columns: int, rows: int) -> None:
        self._columns, self._rows = columns, rows
        self._started = time.monotonic()
        self._frames: list[tuple[float, list[list[Run]], tuple[int, int]]] = []

    def take(self, screen: Screen) -> None:
        """Keep a frame, in place of one that stood for a moment only."""
        at = time.monotonic() - self._started
        frame = [self._runs(screen, row) for row in range(screen.rows)]
        if self._frames and at - self._frames[-1][0] < SHORTEST:
            at = self._frames.pop()[0]
        if not self._frames or self._frames[-1][1:] != (frame, screen.cursor):
            self._frames.append((at, frame, screen.cursor))

    def write_cast(self, path: Path) -> None:
        """Write an asciicast of version 2."""
        head = {"version": 2, "width": self._columns, "height": self._rows, "title": "sidecar"}
        lines = [json.dumps(head)]
        for at, frame, (row, column) in self._timed():
            rows = "\r\n".join("".join(map(_ansi, runs)) + "\x1b[0m\x1b[K" for runs in frame)
            data = f"\x1b[?25l\x1b[H{rows}\x1b[{row + 1};{column + 1}H\x1b[?25h"
            lines.append(json.dumps([round(at, 3), "o", data]))
        path.write_text("\n".join(lines) + "\n", encoding="utf-8")

    def write_svg(self, path: Path) -> None:
        """Write a picture whose frames follow each other for ever."""
        frames = self._timed()
        length = frames[-1][0] + LONGEST
        width, height = self._columns * WIDTH + 16, self._rows * HEIGHT + 16
        parts = [
            f'<svg xmlns="http://www.w3.org/2000/svg" width="{width:.0f}" height="{height:.0f}" '
            f'viewBox="0 0 {width:.0f} {height:.0f}" font-family="monospace" font-size="14">',
            f'<rect width="100%" height="100%" rx="6" fill="{BACKGROUND}"/>',
        ]
        for index, (at, frame, cursor) in enumerate(frames):
            end = frames[index + 1][0] if index + 1 < len(frames) else length
            first, last = at / length, min(1.0, end / length)
            shown = "visible" if index + 1 == len(frames) else "hidden"
            parts.append(f'<g visibility="{shown}">')
            times = f"0;{first:.4f};{last:.4f}" if first > 0 else f"0;{last:.4f}"
            values = "hidden;visible;hidden" if first > 0 else "visible;hidden"
            parts.append(
                f'<animate attributeName="visibility" calcMode="discrete" dur="{length:.2f}s" '
                f'repeatCount="indefinite" keyTimes="{times}" values="{values}"/>'
            )
            parts += _drawn(frame, cursor)
            parts.append("</g>")
        path.write_text("\n".join([*parts, "</svg>"]) + "\n", encoding="utf-8")

    def _timed(self) -> list[tuple[float, list[list[Run]], tuple[int, int]]]:
        """Return the frames, with long pauses cut."""
        found, now, before = [], 0.0, self._frames[0][0]
        for at, frame, cursor in self._frames:
            now += min(LONGEST, at - before)
            before = at
            found.append((now, frame, cursor))
        return found

    def _runs(self, screen: Screen, row: int) -> list[Run]:
        runs: list[Run] = []
        for text, number in screen.cells[row]:
            style = screen.highlights.get(number, {})
            front = _color(style.get("foreground"), FOREGROUND)
            back = _color(style.get("background"), "")
            look = (front, back, bool(style.get("bold")))
            if runs and runs[-1][1:] == look:
                runs[-1] = (runs[-1][0] + text, *look)
            else:
                runs.append((text, *look))
        while runs and not runs[-1][0].strip() and not runs[-1][2]:
            runs.pop()
        return runs


def _color(value: int | None, default: str) -> str:
    return default if value is None else f"#{value:06x}"


def _ansi(run: Run) -> str:
    text, front, back, bold = run
    codes = ["0", *(["1"] if bold else []), _ansi_color(38, front)]
    if back:
        codes.append(_ansi_color(48, back))
    return f"\x1b[{';'.join(codes)}m{text}"


def _ansi_color(kind: int, color: str) -> str:
    red, green, blue = (int(color[at : at + 2], 16) for at in (1, 3, 5))
    return f"{kind};2;{red};{green};{blue}"


def _drawn(frame: list[list[Run]], cursor: tuple[int, int]) -> list[str]:
    parts = []
    row, column = cursor
    parts.append(
        f'<rect x="{8 + column * WIDTH:.1f}" y="{8 + row * HEIGHT}" width="2" '
        f'height="{HEIGHT}" fill="{FOREGROUND}"/>'
    )
    for number, runs in enumerate(frame):
        at = 0
        for text, front, back, bold in runs:
            x, y = 8 + at * WIDTH, 8 + number * HEIGHT
            length = len(text) * WIDTH
            if back:
                parts.append(
                    f'<rect x="{x:.1f}" y="{y}" width="{length:.1f}" height="{HEIGHT}" '
                    f'fill="{back}"/>'
                )
            shown = text.rstrip()
            if shown:
                weight = ' font-weight="bold"' if bold else ""
                parts.append(
                    f'<text x="{x:.1f}" y="{y + 14}" fill="{front}"{weight} '
                    f'textLength="{len(shown) * WIDTH:.1f}" '
                    f'xml:space="preserve">{escape(shown, quote=False)}</text>'
                )
            at += len(text)
    return parts
