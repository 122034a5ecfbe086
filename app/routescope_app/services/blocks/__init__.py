"""Networks of blocks: tasks, inputs, runs, answers, indicators."""
