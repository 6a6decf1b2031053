"""The one schema of sidecar's settings: names, types, limits, defaults, scopes and what each means.

Everything that shows or checks a setting is derived from these structs. Must never read a file or
the environment. May import msgspec.
"""

from __future__ import annotations

from typing import Annotated, Any, Literal

import msgspec
from msgspec import Meta

from sidecar.settings.meta import Scope, meta
from sidecar.settings.running import EngineSettings, ModelSettings

__all__ = [
    "CompletionSettings",
    "ContextSettings",
    "EngineSettings",
    "IndexSettings",
    "LogSettings",
    "ModelSettings",
    "Scope",
    "Settings",
    "json_schema",
]

#: What a place lies in.
ScopeName = Literal["code", "comments", "strings"]

#: Where context comes from, besides the text around the cursor.
SourceName = Literal[
    "above",
    "notes",
    "outline",
    "definitions",
    "bases",
    "callees",
    "members",
    "similar",
    "edits",
    "viewed",
    "selection",
    "diagnostics",
    "scope",
]


class CompletionSettings(msgspec.Struct, frozen=True, kw_only=True, rename="camel"):
    """What is suggested, and where."""

    enabled: Annotated[bool, meta("resource", "Whether suggestions are offered at all.")] = True
    multiline: Annotated[
        Literal["auto"] | bool,
        meta(
            "resource",
            "Whether a suggestion may be longer than one line. `auto`: where a block begins in "
            "which nothing stands yet.",
        ),
    ] = "auto"
    max_tokens: Annotated[int, meta("resource", "Most tokens of one suggestion.", ge=1, le=512)] = (
        48
    )
    max_lines: Annotated[
        int,
        meta(
            "resource",
            "Most lines of one suggestion. 0: as many as `multiline` and `maxTokens` allow.",
            ge=0,
            le=100,
        ),
    ] = 0
    latency_target_ms: Annotated[
        int,
        meta(
            "resource",
            "Milliseconds after which a suggestion is too late to be of use: where the model will "
            "take longer on this machine it is not asked, unless you ask for a suggestion, and the "
            "prompt is evaluated in the background (`engine.warming`) for one of the next keys. "
            "0: none is too late.",
            ge=0,
            le=60000,
        ),
    ] = 0
    time_limit_ms: Annotated[
        int,
        meta(
            "resource",
            "Milliseconds from its first token after which a suggestion ends as it is.",
            ge=50,
            le=60000,
        ),
    ] = 8000
    least_confidence: Annotated[
        float,
        meta(
            "resource",
            "Least chance, 0 to 1, that the model must give to a line to have it suggested, by its "
            "own account; a line below it is not even generated to its end, and others are shown "
            "when they are whole. With 0.24 two of three lines are shown, and 63 % of those are "
            "right (measured with the 0.5B model). What you ask for explicitly is shown anyway, "
            "and so is what a server at `engine.remote` says. 0: everything is shown.",
            ge=0.0,
            le=0.99,
        ),
    ] = 0.0
    speculate: Annotated[
        bool,
        meta(
            "resource",
            "Whether the next suggestion is generated while one is shown, as if it were accepted, "
            "and the first one where the cursor rests at the end of a line.",
        ),
    ] = True
    stream: Annotated[
        Literal["auto", "words", "lines"],
        meta(
            "resource",
            "How text is sent as it grows, to clients that want that. `auto`: words where they "
            "come at once, else lines when they are whole, by how long the model will take here.",
        ),
    ] = "auto"
    offers: Annotated[
        bool,
        meta(
            "resource",
            "Whether clients that are sent text as it grows are offered what the index knows for "
            "certain, such as the only member that begins so, where the model will take long; it "
            "is replaced when that answers.",
        ),
    ] = True
    fallback: Annotated[
        bool,
        meta(
            "machine",
            "Whether the suggestion is offered as an entry of the completion menu as well "
            "(`textDocument/completion`), for editors that show no inline completions. It is "
            "taken from the initialization options only, since editors ask once what a server "
            "can do.",
        ),
    ] = False
    scopes: Annotated[
        tuple[ScopeName, ...],
        meta(
            "resource",
            "In what something is suggested: `code`, `comments`, `strings`. Where the language is "
            "not known, all is `code`.",
        ),
    ] = ("code", "comments", "strings")
    disabled_languages: Annotated[
        tuple[str, ...],
        meta("resource", "Language identifiers of documents in which nothing is suggested."),
    ] = ()
    disabled_files: Annotated[
        tuple[str, ...],
        meta(
            "resource",
            "Names or patterns (`*.pem`) of files in which nothing is suggested, "
            "beside those that are known to hold secrets.",
        ),
    ] = ()


class ContextSettings(msgspec.Struct, frozen=True, kw_only=True, rename="camel"):
    """What the model is shown."""

    before_lines: Annotated[
        int, meta("resource", "Most lines before the cursor.", ge=1, le=10000)
    ] = 256
    after_lines: Annotated[
        int, meta("resource", "Most lines after the cursor.", ge=0, le=10000)
    ] = 64
    before_tokens: Annotated[
        int, meta("resource", "Most tokens before the anchor.", ge=16, le=65536)
    ] = 256
    after_tokens: Annotated[
        int, meta("resource", "Most tokens after the cursor.", ge=0, le=65536)
    ] = 96
    sources: Annotated[
        tuple[SourceName, ...],
        meta(
            "resource",
            "What else the model is shown: imports of the file and heads of what stands around the "
            "lines that it sees (`above`), `notes` of the project (`.sidecar/notes.md`), the "
            "`outline` of the file, `definitions` of names that are used near the cursor, `bases` "
            "of the class, what `callees` take, `members` of what stands before a dot, `similar` "
            "code of other files, regions that you edited (`edits`) or looked at (`viewed`), "
            "what is selected (`selection`) and reported of the file (`diagnostics`) where the "
            "editor tells, types of names in `scope`.",
        ),
    ] = ("above", "notes", "definitions", "members", "similar")
    head_tokens: Annotated[
        int,
        meta(
            "resource",
            "Most tokens of what is shown of other files, with the outline. 0: as many as the "
            "model reads in a few seconds on this machine.",
            ge=0,
            le=65536,
        ),
    ] = 0
    short_first: Annotated[
        bool,
        meta(
            "resource",
            "Whether a short prompt answers first where the whole one would take long to read on "
            "this machine, while that is evaluated in the background.",
        ),
    ] = True


class IndexSettings(msgspec.Struct, frozen=True, kw_only=True, rename="camel"):
    """What is known of the workspace's files."""

    enabled: Annotated[
        bool,
        meta(
            "resource",
            "Whether an index of the workspace is kept: what every file declares, imports and "
            "refers to. It lies in your cache, and never leaves this machine.",
        ),
    ] = True
    exclude: Annotated[
        tuple[str, ...],
        meta(
            "resource",
            "Files and folders that are not indexed, as patterns of a `.gitignore` file at the "
            "top of the workspace (`/generated/`, `*.sql`). What git ignores and what holds "
            "secrets is left out anyway.",
        ),
    ] = ()
    max_file_kb: Annotated[
        int,
        meta(
            "resource",
            "Files larger than so many kilobytes are not indexed: they are data, or generated.",
            ge=1,
            le=10000,
        ),
    ] = 1000
    watch: Annotated[
        Literal["auto", "client", "watchdog", "off"],
        meta(
            "resource",
            "Who tells of files that change outside of the editor. `client`: the editor. "
            "`watchdog`: sidecar watches folders itself. `auto`: the editor where it can, else "
            "sidecar. `off`: nobody; what you save is seen, and the rest when the whole "
            "workspace is compared.",
        ),
    ] = "auto"
    sweep_seconds: Annotated[
        int,
        meta(
            "resource",
            "Seconds between looks at the whole workspace for changes that nobody told of, as on "
            "network drives. A large workspace is looked at less often.",
            ge=1,
            le=86400,
        ),
    ] = 30
    external: Annotated[
        bool,
        meta(
            "machine",
            "Whether what open files import from installed packages is indexed too, declarations "
            "only: `site-packages` of the project's or the active environment, type declarations "
            "in `node_modules`, Go's module cache and library.",
        ),
    ] = True


class LogSettings(msgspec.Struct, frozen=True, kw_only=True, rename="camel"):
    """What is logged, never with source code in it."""

    level: Annotated[
        Literal["debug", "info", "warning", "error"],
        meta("resource", "Least severity that the editor is told of."),
    ] = "info"
    file: Annotated[
        str,
        meta(
            "machine",
            "A file for the log instead of standard error. It gets messages of every severity, "
            "whatever `level` says. Empty: none.",
        ),
    ] = ""


class Settings(msgspec.Struct, frozen=True, kw_only=True, rename="camel"):
    """All settings, under the prefix `sidecar`."""

    model: Annotated[ModelSettings, Meta(description="Which model completes.")] = ModelSettings()
    engine: Annotated[EngineSettings, Meta(description="How the model is run.")] = EngineSettings()
    completion: Annotated[CompletionSettings, Meta(description="What is suggested, and where.")] = (
        CompletionSettings()
    )
    context: Annotated[ContextSettings, Meta(description="What the model is shown.")] = (
        ContextSettings()
    )
    index: Annotated[IndexSettings, Meta(description="What is known of the workspace's files.")] = (
        IndexSettings()
    )
    log: Annotated[LogSettings, Meta(description="What is logged.")] = LogSettings()


def json_schema() -> dict[str, Any]:
    """Return the JSON schema of the object under `sidecar`, each property with its `scope`."""
    (reference,), definitions = msgspec.json.schema_components(
        [Settings], ref_template="#/$defs/{name}"
    )
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        **_inlined(reference, definitions),
    }


def _inlined(node: Any, definitions: dict[str, Any]) -> Any:
    """Replace references to groups by the groups, because editors read no references."""
    if isinstance(node, list):
        return [_inlined(part, definitions) for part in node]
    if not isinstance(node, dict):
        return node
    if "$ref" in node:
        rest = {key: value for key, value in node.items() if key != "$ref"}
        target = definitions[node["$ref"].rsplit("/", 1)[1]]
        group = {key: value for key, value in target.items() if key not in ("title", "required")}
        return {**_inlined(group, definitions), **rest, "additionalProperties": False}
    return {key: _inlined(value, definitions) for key, value in node.items()}
