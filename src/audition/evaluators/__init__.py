"""Evaluators: one concern a file, one assertion an evaluator.

* `case_evaluator`: what every evaluator is, its finding, its layer
* `terms`: terms in texts, with a reason that goes item by item
* `view`: the part of an output that an evaluator looks at
* `completion`, `responses`, `messages`, `routes`, `tools`, `arguments`, `evidence`, `tool_order`,
  `usage`, `time_limits`, `errors`, `similarity`, `trajectory`: the evaluators
* `patterns`: which messages and tool invocations are meant
* `trajectory_steps`: what a view shows as the steps of a trajectory
* `order`, `liveness`, over `exchanges`: what came before what, and whether all that was begun ended
* `builtin`: all of them, and the name that each has in a dataset file
"""
