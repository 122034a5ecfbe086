"""Tests of `core` check every array's shape and type against its annotation while they run.

The hook reaches the modules of `core` that nothing imported before; `tests/core/nn/test_shapes.py` checks
in a process of its own that it does its work.
"""

from jaxtyping import install_import_hook

import tests.core.typechecker

install_import_hook(tests.core.typechecker.CHECKED, "tests.core.typechecker.check")
