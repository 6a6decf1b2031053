from __future__ import annotations

import pytest

from sidecar.errors import ModelError
from sidecar.models.catalogue import load_catalogue
from sidecar.models.gguf import read_header
from sidecar.models.shape import ModelShape, refuse_unsuitable, shape_of


def header_of(tmp_path, content):
    path = tmp_path / "model.gguf"
    path.write_bytes(content)
    return path, read_header(path)


def test_shape_of_the_real_model_is_what_the_catalogue_says(model_path):
    entry = load_catalogue().by_file(model_path.name)
    assert entry is not None
    shape = shape_of(read_header(model_path))
    assert shape == ModelShape(
        bytes=entry.bytes,
        layers=entry.layers,
        kv_bytes_per_token=entry.kv_bytes_per_token,
        context_tokens=entry.context_tokens,
        vocabulary=entry.vocabulary,
        head=64,
    )


def test_key_and_value_lengths_and_heads_per_layer_count(tmp_path, make_gguf):
    _, header = header_of(
        tmp_path,
        make_gguf(
            {
                "qwen2.block_count": 3,
                "qwen2.embedding_length": 1024,
                "qwen2.attention.head_count": 8,
                "qwen2.attention.head_count_kv": [2, 4, 2],
                "qwen2.attention.key_length": 96,
                "qwen2.attention.value_length": 64,
            }
        ),
    )
    assert shape_of(header).kv_bytes_per_token == 2 * 8 * (96 + 64)


def test_without_grouped_heads_every_head_has_its_own_cache(tmp_path, make_gguf):
    _, header = header_of(
        tmp_path,
        make_gguf(
            {
                "qwen2.block_count": 2,
                "qwen2.embedding_length": 256,
                "qwen2.attention.head_count": 4,
            }
        ),
    )
    assert shape_of(header).kv_bytes_per_token == 2 * 2 * 4 * (64 + 64)


@pytest.mark.parametrize(
    ("metadata", "word"),
    [
        ({"general.architecture": "bert"}, "embedding model"),
        ({"general.architecture": "nomic-bert"}, "embedding model"),
        ({"general.architecture": "qwen3", "qwen3.pooling_type": 3}, "embedding model"),
        ({"general.architecture": "qwen3", "qwen3.pooling_type": 4}, "embedding model"),
        ({"general.architecture": "clip"}, "image part"),
        ({"general.type": "adapter"}, "adapter"),
        ({"general.architecture": ""}, "no model architecture"),
    ],
)
def test_models_that_cannot_complete_are_refused(tmp_path, make_gguf, metadata, word):
    path, header = header_of(tmp_path, make_gguf(metadata))
    with pytest.raises(ModelError, match=word) as caught:
        refuse_unsuitable(path, header)
    assert "sidecar models list" in caught.value.fix


def test_a_vocabulary_alone_is_refused(tmp_path, make_gguf):
    path, header = header_of(tmp_path, make_gguf(tensors=[]))
    with pytest.raises(ModelError, match="only a vocabulary"):
        refuse_unsuitable(path, header)


def test_a_model_that_says_it_does_not_pool_is_taken(tmp_path, make_gguf):
    path, header = header_of(tmp_path, make_gguf({"qwen2.pooling_type": 0}))
    refuse_unsuitable(path, header)
