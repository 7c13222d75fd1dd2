"""Running the cases of a dataset, and keeping every result the moment it is there.

* `status`: what became of a case, and the exit code of many
* `units`: cases times repeats
* `task`: what answers the cases of a dataset
* `journal`: one line for each finished case, and its full result beside
* `manifest`: what was run, with what
* `native_report`: Pydantic Evals' report, streamed from the results
* `engine`: all of it
"""
