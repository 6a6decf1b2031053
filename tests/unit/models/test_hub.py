from __future__ import annotations

import threading

import pytest

from sidecar.models.hub import Hub, HubError


def test_looks_up_size_digest_and_revision(local_hub, make_entry):
    found = Hub(local_hub.endpoint, answer_seconds=60.0).look_up(make_entry())
    assert found.bytes == len(local_hub.content)
    assert found.sha256 == local_hub.etag
    assert found.revision == local_hub.revision
    assert local_hub.requests == [("HEAD", "/somebody/Tiny-GGUF/resolve/main/tiny-q4.gguf", "")]


def test_an_etag_that_is_no_digest_is_none(local_hub, make_entry):
    local_hub.etag = "33-5b21f7"
    assert Hub(local_hub.endpoint, answer_seconds=60.0).look_up(make_entry()).sha256 is None


def test_a_file_that_is_not_there_is_told(local_hub, make_entry):
    with pytest.raises(HubError, match="EntryNotFound"):
        Hub(local_hub.endpoint, answer_seconds=60.0).look_up(make_entry(file="missing.gguf"))


def test_nobody_listening_is_told_at_once(make_entry):
    with pytest.raises(HubError, match="cannot be reached") as caught:
        Hub("http://127.0.0.1:9").look_up(make_entry())
    assert "\n" not in str(caught.value)
    assert "HF_ENDPOINT" in caught.value.fix


def test_a_hub_that_does_not_answer_is_given_up(local_hub, make_entry):
    released = threading.Event()
    local_hub.before_answer = released.wait
    try:
        # Often, since its client gives up at the same moment, and either may come first.
        for _ in range(10):
            with pytest.raises(HubError, match=r"did not answer within 0\.1 s"):
                Hub(local_hub.endpoint, answer_seconds=0.1).look_up(make_entry())
    finally:
        released.set()


def test_offline_is_respected(local_hub, make_entry, monkeypatch):
    monkeypatch.setattr("huggingface_hub.constants.HF_HUB_OFFLINE", True)
    from huggingface_hub import close_session

    close_session()
    try:
        with pytest.raises(HubError, match="OfflineModeIsEnabled"):
            Hub(local_hub.endpoint, answer_seconds=60.0).look_up(make_entry())
    finally:
        monkeypatch.undo()
        close_session()
    assert local_hub.requests == []


@pytest.mark.parametrize("ranges", [True, False])
def test_reads_from_where_it_is_asked_or_says_that_it_does_not(local_hub, make_entry, ranges):
    local_hub.ranges = ranges
    hub = Hub(local_hub.endpoint, answer_seconds=60.0)
    with hub.open(hub.look_up(make_entry()), 1000) as body:
        assert body.start == (1000 if ranges else 0)
        assert b"".join(body.chunks) == local_hub.content[body.start :]
    assert local_hub.requests[-1][2] == "bytes=1000-"


def test_a_cut_connection_is_told(local_hub, make_entry):
    hub = Hub(local_hub.endpoint, answer_seconds=60.0)
    local_hub.cuts = [20000]
    got = b""
    with (
        hub.open(hub.look_up(make_entry()), 0) as body,
        pytest.raises(HubError, match="connection to the hub was lost"),
    ):
        for chunk in body.chunks:
            got += chunk
    assert local_hub.content.startswith(got)
