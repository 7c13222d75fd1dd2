"""Running the cases of a dataset, and keeping every result the moment it is there.

* `exit_codes`: what the process says
* `status`: what became of a case, and the exit code of many
* `units`: cases times repeats
* `task`: what answers the cases of a dataset
* `journal`: one line for each finished case, and its full result beside
* `manifest`: what was run, with what
* `native_report`: Pydantic Evals' report, streamed from the results
* `results`: a native result with its status and its diagnosis
* `folder`: where the results of a run go
* `engine`: all of it
* `golden`: a session as a recording and a suite
* `kept_cases`, `keeping`: a failure as a case of a dataset file
* `process`: a run as the whole job of a process
* `kept`: what a run or a report has kept, read back
"""
