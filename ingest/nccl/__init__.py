"""The forms of nccl-tests output: what the formats nccl_* share."""
