"""Writes ResNet-50 logs of round v1.1 that the official rules pass, and their system description.

All values are what rule set training 1.1.0 asks for; the convergence is that of the reference at a
batch size of 1632. A test says what goes wrong by changing one of these texts.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

from mlperf_logs import MINUTE_MS, SLOT_MS, START_MS, Submission, record

UNITS = (3, 4, 6, 3)  # of the four stages of ResNet-50
EPOCHS = 36
EPOCH_MINUTES = 1
SETTINGS = {
    "global_batch_size": 1632,
    "d_batch_size": 204,
    "gradient_accumulation_steps": 1,
    "train_samples": 1281167,
    "eval_samples": 50000,
    "opt_name": "lars",
    "lars_opt_base_learning_rate": 7.4,
    "lars_opt_end_learning_rate": 0.0001,
    "lars_opt_learning_rate_decay_poly_power": 2,
    "lars_opt_learning_rate_decay_steps": 27476,
    "lars_epsilon": 0.0,
    "lars_opt_learning_rate_warmup_epochs": 2,
    "lars_opt_momentum": 0.9,
    "lars_opt_weight_decay": 0.00005,
    "model_bn_span": 204,
}
DESCRIPTION = {
    "status": "onprem",
    "host_processors_per_node": "2",
    "host_processor_core_count": "64",
    "host_processor_vcpu_count": "128",
    "host_processor_frequency": "2.45 GHz",
    "host_processor_caches": "L3 256 MB",
    "host_processor_interconnect": "xGMI",
    "host_memory_capacity": "512 GB",
    "host_storage_type": "NVMe",
    "host_storage_capacity": "2 TB",
    "host_networking": "HDR",
    "host_networking_topology": "fat tree",
    "host_memory_configuration": "16 x 32 GB",
    "accelerator_host_interconnect": "PCIe 4.0",
    "accelerator_frequency": "1410 MHz",
    "accelerator_on-chip_memories": "40 MB",
    "accelerator_memory_configuration": "HBM2",
    "accelerator_memory_capacity": "80 GB",
    "accelerator_interconnect": "NVLink",
    "accelerator_interconnect_topology": "switch",
    "cooling": "air",
    "hw_notes": "none",
    "framework": "MXNet 21.09",
    "other_software_stack": {"cuda_version": "11.4"},
    "operating_system": "CentOS 8.2",
    "sw_notes": "none",
}


def tensors() -> Iterator[str]:
    """The names of ResNet-50's tensors, as the rule set lists them."""
    yield from ("bn0_beta", "bn0_gamma", "conv0_weight", "fc1_bias", "fc1_weight")
    for stage, units in enumerate(UNITS, start=1):
        for unit in range(1, units + 1):
            place = f"stage{stage}_unit{unit}"
            norms = ["bn1", "bn2", "bn3"] + (["bnsc"] if unit == 1 else [])
            yield from (f"{place}_{norm}_{part}" for norm in norms for part in ("beta", "gamma"))
            weights = ["conv1", "conv2", "conv3"] + (["conv1sc"] if unit == 1 else [])
            yield from (f"{place}_{weight}_weight" for weight in weights)


def compliant(number: int, system: str = "box", organization: str = "Acme") -> str:
    """The log of run `number`: one evaluation every four epochs, the target met at the last."""
    start = START_MS + number * SLOT_MS
    where = {"file": "train.py", "lineno": 10}
    header = {
        "submission_benchmark": "resnet", "submission_org": organization,
        "submission_division": "closed", "submission_status": "onprem",
        "submission_platform": system,
    }  # fmt: skip
    early = start - MINUTE_MS
    lines = [record(key, value, early, **where) for key, value in header.items()]
    lines += [record("cache_clear", True, early, **where), record("init_start", None, early)]
    lines.append(record("seed", 1000 + 7 * number, early, **where))
    lines += [record("weights_initialization", None, early, tensor=name) for name in tensors()]
    lines += [record(key, value, early, **where) for key, value in SETTINGS.items()]
    lines += [record("init_stop", None, start - 1), record("run_start", None, start)]
    for epoch in range(1, EPOCHS + 1):
        lines += _epoch(epoch, start + (epoch - 1) * EPOCH_MINUTES * MINUTE_MS)
    end = start + EPOCHS * EPOCH_MINUTES * MINUTE_MS + 1000 + number
    lines.append(record("run_stop", None, end, status="success"))
    return "\n".join(lines) + "\n"


def _epoch(epoch: int, begin: float) -> list[str]:
    end = begin + EPOCH_MINUTES * MINUTE_MS
    lines = [
        record("epoch_start", None, begin, epoch_num=epoch),
        record("epoch_stop", None, end, epoch_num=epoch),
    ]
    if epoch % 4 == 0:
        accuracy = 0.7595 if epoch == EPOCHS else 0.7 + epoch / 1000
        lines += [
            record("eval_start", None, end, epoch_num=epoch),
            record("eval_stop", None, end, epoch_num=epoch),
            record("eval_accuracy", accuracy, end, epoch_num=epoch),
        ]
    return lines


def add_compliant(made: Submission, system: str = "box", first: int = 0) -> Path:
    """A result set of five runs and its description; gives the folder of the logs.

    Runs of several systems need other numbers, or they have the same seeds and times.
    """
    made.system(system, "1", "8", **DESCRIPTION)
    logs = [compliant(first + run, system, made.organization) for run in range(5)]
    return made.results(system, "resnet", logs)


def changed(text: str, key: str, value: object, place: int = 0) -> str:
    """A log in which one record of a key (counted by `place`) has another value."""
    lines = text.split("\n")
    found = [number for number, line in enumerate(lines) if f'"key": "{key}"' in line]
    said = json.loads(lines[found[place]].removeprefix(":::MLLOG "))
    lines[found[place]] = ":::MLLOG " + json.dumps({**said, "value": value})
    return "\n".join(lines)
