from __future__ import annotations

import pytest

from sidecar.models.cgroup import MemoryLimit, cpu_quota, memory_limit

GIB = 1 << 30


def tree(root, files):
    for name, text in files.items():
        path = root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
    return root


TWO = {
    "proc/self/cgroup": "0::/user.slice/box\n",
    "sys/fs/cgroup/user.slice/box/memory.max": f"{4 * GIB}\n",
    "sys/fs/cgroup/user.slice/box/memory.current": f"{3 * GIB}\n",
    "sys/fs/cgroup/user.slice/box/memory.stat": f"anon 1\ninactive_file {GIB}\n",
    "sys/fs/cgroup/user.slice/memory.max": "max\n",
    "sys/fs/cgroup/user.slice/box/cpu.max": "150000 100000\n",
    "sys/fs/cgroup/user.slice/cpu.max": "max 100000\n",
}
ONE = {
    "proc/self/cgroup": "9:name=systemd:/\n4:memory:/box\n1:cpu,cpuacct:/box\n0::/\n",
    "sys/fs/cgroup/memory/box/memory.limit_in_bytes": f"{2 * GIB}\n",
    "sys/fs/cgroup/memory/box/memory.usage_in_bytes": f"{GIB}\n",
    "sys/fs/cgroup/memory/box/memory.stat": "total_inactive_file 0\n",
    "sys/fs/cgroup/memory/memory.limit_in_bytes": "9223372036854771712\n",
    "sys/fs/cgroup/cpu,cpuacct/box/cpu.cfs_quota_us": "200000\n",
    "sys/fs/cgroup/cpu,cpuacct/box/cpu.cfs_period_us": "100000\n",
}
INSIDE = {
    # In a container the path is the host's, and the limit stands at the top.
    "proc/self/cgroup": "0::/system.slice/docker-0123.scope\n",
    "sys/fs/cgroup/memory.max": f"{GIB}\n",
    "sys/fs/cgroup/memory.current": f"{2 * GIB}\n",
    "sys/fs/cgroup/cpu.max": "50000 100000\n",
}
NO_LIMIT = {
    "proc/self/cgroup": "4:memory:/\n0::/\n",
    "sys/fs/cgroup/memory/memory.limit_in_bytes": "9223372036854771712\n",
    "sys/fs/cgroup/cpu.max": "max 100000\n",
    "sys/fs/cgroup/cpu/cpu.cfs_quota_us": "-1\n",
}


@pytest.mark.parametrize(
    ("files", "memory", "cpus"),
    [
        (TWO, MemoryLimit(4 * GIB, 2 * GIB), 1.5),
        (ONE, MemoryLimit(2 * GIB, GIB), 2.0),
        (INSIDE, MemoryLimit(GIB, 0), 0.5),
        (NO_LIMIT, None, None),
        ({}, None, None),
        ({"proc/self/cgroup": "nonsense\n\n0::\n"}, None, None),
    ],
)
def test_limits(tmp_path, files, memory, cpus):
    root = tree(tmp_path, files)
    assert memory_limit(root) == memory
    assert cpu_quota(root) == cpus


def test_this_machine_answers():
    memory_limit()
    cpu_quota()
