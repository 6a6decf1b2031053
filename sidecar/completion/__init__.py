"""The pipeline from a keystroke to a suggestion.

May import `text`, `syntax`, `settings`, `context`, `telemetry` and the engine's client and
messages; never LSP types.
"""
