"""Rates from counters."""

from __future__ import annotations

from sidecar.telemetry.rates import rates


def test_of_nothing_there_are_no_rates() -> None:
    found = rates({})
    assert found.pop("warming_by_reason") == {}
    assert set(found.values()) == {None}


def test_each_rate_has_its_own_base() -> None:
    found = rates(
        {
            "cache.hit": 30,
            "cache.miss": 70,
            "generation.joined": 7,
            "speculation.begun": 10,
            "speculation.used": 4,
            "draft.tokens": 8,
            "draft.accepted": 6,
            "draft.model_tokens": 4,
            "draft.model_accepted": 2,
            "warming.hits": 3,
            "warming.hits.cursor": 3,
            "warming.misses": 9,
            "warming.misses.cursor": 1,
            "warming.misses.blank_line": 8,
            "warming.used_tokens": 100,
            "warming.wasted_tokens": 300,
            "prompt.evaluated": 5,
            "prompt.reused": 95,
        }
    )
    assert found == {
        "cache": 0.3,
        "joined": 0.1,
        "speculation": 0.4,
        "drafts": 0.75,
        "draft_model": 0.5,
        "warming": 0.25,
        "warming_by_reason": {"blank_line": 0.0, "cursor": 0.75},
        "warming_tokens": 0.25,
        "prompt_evaluated": 0.05,
    }
