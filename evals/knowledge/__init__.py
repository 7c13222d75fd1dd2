"""Policy for evaluating `src/knowledge_team`: what its team must do, and what its cases give it.

* `application`: what the library is told; imports no framework
* `fixtures`: reviewed knowledge in a dataset file, and the inputs of a case
* `contract`: what every retrieval case must keep to
* `fixture_search`, `composition`: the production team with one tool replaced
* `runtime`: a fresh team for every case
* `faults`: the good team with one part made bad, to try the evaluation on
"""
