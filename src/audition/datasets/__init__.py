"""Dataset files: what people write, read strictly, and turned into a native Pydantic Evals dataset.

* `reading`: a JSON or YAML file as plain data, with what no data can show (keys given twice)
* `problems`: what Pydantic says of the data, as places in the file and what would be accepted
* `entries`: an evaluator in a file
* `formats`: the models of the files
* `checks`: what one field alone cannot tell
* `loading`: all of it, to a `LoadedDataset`
* `schema`: the JSON Schema of the files, for editors
* `selection`: some of the cases
"""
