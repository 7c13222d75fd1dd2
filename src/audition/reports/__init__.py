"""Results as text: for a terminal, and as JSON.

* `terminal`: text that is safe to print
* `table`: all cases of a run, failures first
* `case_text`: one case with everything it left behind
"""
