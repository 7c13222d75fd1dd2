"""Results as text: for people, for other programs, and for the machines that run both.

* `terminal`: text that is safe to print
* `told_run`, `row_text`: what every format tells of a run, and of one (case, repeat)
* `table`, `markdown`, `github`: for people, failures first
* `results_json`, `junit`, `comma_separated`: for programs
* `case_text`: one case with everything it left behind
"""
