"""Identity from a path: every layout that the published rounds use."""

from __future__ import annotations

import pytest

from ingest.layout import Identity, identify

V11 = "/data/training_results_v1.1/Dell/results/R750xa/resnet"


@pytest.mark.parametrize(
    ("path", "identity"),
    [
        (f"{V11}/result_0.txt", Identity("v1.1", "Dell", "R750xa", "resnet", 0, True)),
        (f"{V11}/result_01.txt", Identity("v1.1", "Dell", "R750xa", "resnet", 1, True)),
        (f"{V11}/result_run10.txt", Identity("v1.1", "Dell", "R750xa", "resnet", 10, True)),
        (
            f"{V11}/result_1_1n8r_32k_1592676644.txt",
            Identity("v1.1", "Dell", "R750xa", "resnet", 1, True),
        ),
        (
            f"{V11}/result_5848-240517221859825376616_2.txt",
            Identity("v1.1", "Dell", "R750xa", "resnet", 2, True),
        ),
        (f"{V11}/.!65506!result_4.txt", Identity("v1.1", "Dell", "R750xa", "resnet", 4, False)),
        (f"{V11}/train.log", Identity("v1.1", "Dell", "R750xa", "resnet", None, False)),
        (f"{V11}/scaling.json", Identity("v1.1", "Dell", "R750xa", "resnet", None, False)),
        # an archive counts as a folder
        (
            "/d/training_v2.0.tar.xz/Example/results/box/bert/result_3.txt",
            Identity("v2.0", "Example", "box", "bert", 3, True),
        ),
        # round v0.5: the organisation stands below the version
        (
            "/d/v0.5.0/nvidia/submission/results/dgx1/resnet/result_0.txt",
            Identity("v0.5", "nvidia", "dgx1", "resnet", 0, True),
        ),
        # no benchmark folder (v0.7), strong and weak scaling (HPC), closed and open
        (
            "/d/training_v0.7/Alibaba/results/v100-1280/result_1.txt",
            Identity("v0.7", "Alibaba", "v100-1280", None, 1, True),
        ),
        (
            "/d/hpc_v2.0/Org/results/box/strong/cosmoflow/result_000.txt",
            Identity("v2.0", "Org", "box", "cosmoflow", 0, True),
        ),
        (
            "/d/v1.1/closed/Org/results/box/bert/result_0.txt",
            Identity("v1.1", "Org", "box", "bert", 0, True),
        ),
        # systems
        ("/d/v1.1/Dell/systems/R750xa.json", Identity("v1.1", "Dell", "R750xa")),
        ("/d/v1.1/Dell/systems/deep/R750xa.json", Identity("v1.1")),
        ("/d/v1.1/Dell/systems/README.md", Identity("v1.1")),
        # outside any layout
        ("/home/me/run/job-17.out", Identity()),
        ("/results/result_0.txt", Identity()),
        ("/results/box/bert/result_0.txt", Identity(None, None, "box", "bert", 0, True)),
        ("/w/results/old/results/box/bert/result_0.txt",
         Identity(None, "old", "box", "bert", 0, True)),
        ("C:\\d\\v1.1\\Org\\results\\box\\bert\\result_2.txt",
         Identity("v1.1", "Org", "box", "bert", 2, True)),
        ("", Identity()),
    ],
)  # fmt: skip
def test_identify(path: str, identity: Identity) -> None:
    assert identify(path) == identity


@pytest.mark.parametrize(
    ("folder", "name"),
    [
        ("training_results_v1.1", "v1.1"),
        ("training_results_v1.1.tar.gz", "v1.1"),
        ("v0.5.0", "v0.5"),
        ("training-v4.0-main", "v4.0"),
        ("My v5.1 logs", "v5.1"),
        ("v1.1.zip", "v1.1"),
        ("nd96amsr_a100_v4_ngc21.09", None),
        ("driver_v460.32.03", None),
        ("v1.1x", None),
        ("rev1.1", None),
    ],
)
def test_round(folder: str, name: str | None) -> None:
    assert identify(f"/d/{folder}/file.txt").round == name


def test_the_nearest_round_counts() -> None:
    assert identify("/v1.0/copy_of_v1.1/file.txt").round == "v1.1"


def test_place() -> None:
    assert identify(f"{V11}/result_7.txt").place == "Dell/R750xa/resnet/7"
    assert identify("/home/me/job.out").place == "///"
    assert identify(f"{V11}/result_7.txt").result_set == ("Dell", "R750xa", "resnet")
