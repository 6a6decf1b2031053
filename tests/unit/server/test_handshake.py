"""The answer to initialize, from requests good and bad."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sidecar.server.handshake import answer, client_of


def encoding(*offered: str) -> str:
    params = {"capabilities": {"general": {"positionEncodings": list(offered)}}}
    result: str = answer(client_of(params))["capabilities"]["positionEncoding"]
    return result


@pytest.mark.parametrize(
    ("offered", "chosen"),
    [
        ((), "utf-16"),
        (("utf-16",), "utf-16"),
        (("utf-8", "utf-16", "utf-32"), "utf-8"),
        (("utf-32", "utf-8"), "utf-32"),
        (("utf-7", "utf-8"), "utf-8"),
        (("utf-7",), "utf-16"),
    ],
)
def test_the_clients_order_decides(offered: tuple[str, ...], chosen: str) -> None:
    assert encoding(*offered) == chosen


def test_what_a_client_tells() -> None:
    client = client_of(
        {
            "processId": 7,
            "clientInfo": {"name": "vim"},
            "initializationOptions": {"token": "t", "settings": {"model": {}}},
            "capabilities": {
                "workspace": {
                    "configuration": True,
                    "didChangeConfiguration": {"dynamicRegistration": True},
                    "didChangeWatchedFiles": {"dynamicRegistration": True},
                },
                "window": {"workDoneProgress": True},
            },
        }
    )
    assert (client.name, client.process_id, client.settings) == ("vim", 7, {"model": {}})
    assert client.pulls_settings and client.registers_settings and client.shows_progress
    assert client.watches_files and not client.watches_folders
    assert client.knows("t")
    assert not client.knows("T")
    assert not client.knows("")


@pytest.mark.parametrize(
    ("options", "wants"),
    [
        ({}, False),
        ({"sidecar": {"completion": {"fallback": True}}}, True),
        ({"settings": {"sidecar": {"completion": {"fallback": True}}}}, True),
        ({"settings": {"completion": {"fallback": True}}}, True),
        ({"sidecar": {"completion": {"fallback": 1}}}, False),
        ({"sidecar": {"completion": []}}, False),
        ({"sidecar": 5}, False),
    ],
)
def test_a_menu_is_for_those_who_want_one(options: object, wants: bool) -> None:
    capabilities = answer(client_of({"initializationOptions": options}))["capabilities"]
    assert ("completionProvider" in capabilities) == wants
    assert "inlineCompletionProvider" in capabilities


@pytest.mark.parametrize(
    ("told", "folders"),
    [
        ({}, ()),
        ({"rootUri": None, "workspaceFolders": None}, ()),
        ({"rootUri": "file:///a"}, ("file:///a",)),
        ({"rootPath": "/a"}, ("/a",)),
        ({"rootUri": "file:///a", "rootPath": "/b"}, ("file:///a",)),
        ({"rootUri": "file:///a", "workspaceFolders": []}, ()),
        (
            {"rootUri": "file:///a", "workspaceFolders": [{"uri": "file:///b"}, {"uri": 3}, 4]},
            ("file:///b",),
        ),
    ],
)
def test_folders_are_found_where_clients_put_them(
    told: dict[str, object], folders: tuple[str, ...]
) -> None:
    assert client_of(told).folders == folders


@pytest.mark.parametrize(
    ("options", "settings"),
    [
        (None, {}),
        ({"settings": {"model": {"name": "m"}}}, {"model": {"name": "m"}}),
        ({"settings": {"sidecar": {"model": {"name": "m"}}}}, {"model": {"name": "m"}}),
        ({"sidecar": {"model": {"name": "m"}}}, {"model": {"name": "m"}}),
        (
            {"settings": {"sidecar": {"model": 1}, "log": 2}, "sidecar": {"model": 3}},
            {"model": 3, "log": 2},
        ),
        ({"sidecar": [], "settings": []}, {}),
        ({"settings": 5}, 5),
        ({"settings": {"sidecar": "x"}}, "x"),
        ({"sidecar": [1]}, [1]),
    ],
)
def test_settings_are_found_where_clients_put_them(options: object, settings: object) -> None:
    assert client_of({"initializationOptions": options}).settings == settings


json_values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=3),
    lambda inner: (
        st.lists(inner, max_size=2)
        | st.dictionaries(
            st.sampled_from(
                "capabilities general positionEncodings processId clientInfo name token settings "
                "initializationOptions window workspace".split()
            ),
            inner,
            max_size=3,
        )
    ),
    max_leaves=12,
)


@given(json_values)
@settings(deadline=None)
def test_no_request_is_too_strange_to_answer(params: object) -> None:
    client = client_of(params)
    assert answer(client)["capabilities"]["positionEncoding"] == "utf-16"
    assert isinstance(client.knows("x"), bool)
