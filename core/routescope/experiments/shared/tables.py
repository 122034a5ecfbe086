"""Numbers that tables of the papers print: the one place for claims, experiments and figures."""

FNN, SOFTMAX, GUMBEL = "FNN", "SMFR softmax", "SMFR Gumbel"

# -- Neural Interpreters ---------------------------------------------------------------------------------------

#: Table 1: mean R2 and its standard deviation over the functions, by the parameters that are trained.
NI_TABLE_1 = {
    "pre-training": (0.9983, 0.0005),
    "CLS tokens": (0.9202, 0.0198),
    "+ type inference": (0.9857, 0.0034),
    "+ remaining parameters": (0.9953, 0.0013),
}
#: Table 2: validation and test accuracies, regime by regime in the order of ``routescope.data.matrices``.
NI_TABLE_2 = {
    "wren-pgm": ((0.630, 0.626), (0.790, 0.644), (0.467, 0.272), (0.639, 0.419), (0.634, 0.190), (0.693, 0.172)),
    "vit-pgm": ((0.733, 0.727), (0.899, 0.677), (0.694, 0.341), (0.676, 0.441), (0.738, 0.159), (0.922, 0.164)),
    "ni-pgm": ((0.773, 0.770), (0.879, 0.705), (0.695, 0.366), (0.686, 0.452), (0.799, 0.200), (0.918, 0.194)),
}
#: Tables 4 and 5: validation accuracies, by architecture and domain; street digits stand in for SVHN.
NI_TABLES_4_5 = {
    "neural_interpreter": {"street-digits": 0.962, "mnist-m": 0.984, "mnist": 0.994},
    "vision_transformer": {"street-digits": 0.963, "mnist-m": 0.983, "mnist": 0.996},
}

# -- Block-Operations ------------------------------------------------------------------------------------------

#: Table 1: mean and standard error of the preparation-data accuracy, by threshold and kind.
BLOCKS_TABLE_1: dict[float, dict[str, tuple[float, float]]] = {
    0.7: {FNN: (0.032, 0.0034), SOFTMAX: (0.142, 0.0101), GUMBEL: (0.088, 0.0080)},
    0.8: {FNN: (0.056, 0.0042), SOFTMAX: (0.184, 0.0112), GUMBEL: (0.119, 0.0099)},
    0.9: {FNN: (0.123, 0.0068), SOFTMAX: (0.259, 0.0137), GUMBEL: (0.208, 0.0113)},
    0.95: {FNN: (0.202, 0.0105), SOFTMAX: (0.326, 0.0143), GUMBEL: (0.292, 0.0158)},
    1.0: {FNN: (0.350, 0.0157), SOFTMAX: (0.434, 0.0179), GUMBEL: (0.395, 0.0182)},
}
#: Its last column: SMFR softmax over FNN.
BLOCKS_RATIOS = {0.7: 4.44, 0.8: 3.29, 0.9: 2.11, 0.95: 1.61, 1.0: 1.24}
#: Table 2: accuracy of the five best of each family, for even and odd numbers of iterations.
BLOCKS_TABLE_2 = {"SMFR": (1.0, 1.0), "FNN": (1.0, 0.187), "Transformer": (0.984, 0.099)}
#: Table 3: test accuracy after 25,000 and 250,000 steps, means of the five best of each kind.
BLOCKS_TABLE_3 = {
    "fnn-bpmnist": (0.949, 0.950),
    "transformer-bpmnist": (0.975, 0.977),
    "smfr-bpmnist": (0.945, 0.985),
    "smfr-bpmnist-bias": (0.984, 0.986),
    "smfr-bpmnist-no-context": (0.982, 0.984),
}
BPMNIST_TITLES = {
    "fnn-bpmnist": "FNN",
    "transformer-bpmnist": "Transformer",
    "smfr-bpmnist": "SMFR",
    "smfr-bpmnist-bias": "SMFR bias",
    "smfr-bpmnist-no-context": "SMFR no_context",
}
#: Table 4: by threshold, kind and size of the network.
BLOCKS_TABLE_4: dict[float, dict[str, dict[str, float]]] = {
    0.7: {
        FNN: {"HIGH": 0.054, "MID": 0.024, "LOW": 0.035},
        SOFTMAX: {"HIGH": 0.204, "MID": 0.146, "LOW": 0.107},
        GUMBEL: {"HIGH": 0.146, "MID": 0.094, "LOW": 0.049},
    },
    0.8: {
        FNN: {"HIGH": 0.089, "MID": 0.053, "LOW": 0.052},
        SOFTMAX: {"HIGH": 0.186, "MID": 0.205, "LOW": 0.116},
        GUMBEL: {"HIGH": 0.118, "MID": 0.138, "LOW": 0.063},
    },
    0.9: {
        FNN: {"HIGH": 0.179, "MID": 0.134, "LOW": 0.098},
        SOFTMAX: {"HIGH": 0.300, "MID": 0.274, "LOW": 0.198},
        GUMBEL: {"HIGH": 0.266, "MID": 0.232, "LOW": 0.109},
    },
    0.95: {
        FNN: {"HIGH": 0.325, "MID": 0.223, "LOW": 0.150},
        SOFTMAX: {"HIGH": 0.346, "MID": 0.349, "LOW": 0.245},
        GUMBEL: {"HIGH": 0.274, "MID": 0.333, "LOW": 0.172},
    },
    1.0: {
        FNN: {"HIGH": 0.468, "MID": 0.413, "LOW": 0.259},
        SOFTMAX: {"HIGH": 0.450, "MID": 0.448, "LOW": 0.382},
        GUMBEL: {"HIGH": 0.408, "MID": 0.415, "LOW": 0.327},
    },
}
#: Table 5: SMFRs of both kinds, by threshold and hidden layers of the FNNs within them.
BLOCKS_TABLE_5: dict[float, dict[int, float]] = {
    0.7: {1: 0.099, 2: 0.134, 3: 0.192},
    0.8: {1: 0.125, 2: 0.216, 3: 0.210},
    0.9: {1: 0.194, 2: 0.299, 3: 0.284},
    0.95: {1: 0.275, 2: 0.365, 3: 0.338},
    1.0: {1: 0.365, 2: 0.489, 3: 0.449},
}
#: Table 7: the same over all trials, by the number of parameters.
BLOCKS_TABLE_7 = {
    ("FNN", "high"): (1.0, 0.241),
    ("FNN", "mid"): (0.989, 0.249),
    ("FNN", "low"): (0.891, 0.164),
    ("Transformer", "high"): (0.967, 0.159),
    ("Transformer", "mid"): (0.801, 0.081),
    ("Transformer", "low"): (0.675, 0.393),
    ("SMFR", "high"): (0.954, 0.900),
    ("SMFR", "mid"): (0.966, 0.951),
    ("SMFR", "low"): (0.812, 0.229),
}
