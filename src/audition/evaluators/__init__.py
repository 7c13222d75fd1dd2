"""Evaluators: one concern a file, one assertion an evaluator.

* `case_evaluator`: what every evaluator is, its finding, its layer
* `view`: the part of an output that an evaluator looks at
* `completion`, `responses`, `messages`, `routes`, `tools`, `arguments`, `evidence`: the evaluators
* `builtin`: all of them, and the name that each has in a dataset file
"""
