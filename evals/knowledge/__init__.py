"""Policy for evaluating `src/knowledge_team`: what its team must do, and what its cases give it.

* `application`: what the library is told; imports no framework
* `contract`: what every case must keep to
* `fixtures`: reviewed knowledge in a dataset file, and the inputs of a case
* `fixture_pages`: prepared pages in the place of the web, for every case of the evaluation team
* `fixture_search`, `substitute`: prepared records in the place of the search, where a case has them
* `composition`: a team with one tool or model replaced, and nothing else
* `runtime`: a fresh team for every case
* `fault_table`, `faults`, `fault_models`: the good team with one part made bad, to try the
  evaluation on; `fault_runs` and `demo_faults` tell what it says of each
* `page_server`, `served_pages`, `production_tools`: the production tools on pages of this machine
"""
