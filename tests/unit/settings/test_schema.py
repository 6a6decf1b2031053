"""The schema that editors' settings are generated from."""

from __future__ import annotations

import json

import jsonschema
import msgspec

from sidecar.settings import Settings, json_schema


def test_the_schema_is_valid_and_accepts_the_defaults() -> None:
    schema = json_schema()
    jsonschema.Draft202012Validator.check_schema(schema)
    jsonschema.validate(json.loads(msgspec.json.encode(Settings())), schema)


def test_the_schema_refuses_what_loading_refuses() -> None:
    validator = jsonschema.Draft202012Validator(json_schema())
    for bad in (
        {"completion": {"maxTokens": 0}},
        {"completion": {"maxToken": 1}},
        {"nothing": {}},
        {"engine": {"kvType": "q1"}},
    ):
        assert not validator.is_valid(bad)


def test_every_property_says_what_it_is() -> None:
    schema = json_schema()
    assert "$ref" not in str(schema)
    for group in schema["properties"].values():
        assert group["description"]
        for name, setting in group["properties"].items():
            assert setting["description"].endswith("."), name
            assert setting["scope"] in ("machine", "resource"), name
            assert "default" in setting, name
