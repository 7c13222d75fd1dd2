"""Dataset files: what people write, read strictly, and turned into a native Pydantic Evals dataset.

* `reading`: a JSON or YAML file as plain data, with what no data can show (keys given twice)
* `pointers`: places in a file as JSON pointers
* `problems`: what Pydantic says of the data, as places in the file and what would be accepted
* `authoring`: what an application adds to the files that are written for it
* `entries`: an evaluator in a file
* `session_sources`: where recorded sessions stand, as a file says it
* `formats`: the models of the files
* `session_files`: which session a case judges, and whether it can be there
* `checks`: what one field alone cannot tell
* `references`: names that must exist elsewhere: in the file, in the application, on disk
* `file_reader`: a file in two passes, everything that is wrong with it at once
* `loading`: a file in our format, to a `LoadedDataset`
* `native`: a file in Pydantic Evals' own format, to the same
* `kagent_suites`: a suite of kagent-agentevals, to the same
* `schema`: the JSON Schema of the files, for editors
* `selection`: some of the cases
* `yaml_text`: JSON values as YAML
* `starter_suites`: a suite for a recording, as text
* `additions`: a case more in the text of a file
* `self_test`: whether the evaluators of a file tell its good recordings from its bad ones
"""
