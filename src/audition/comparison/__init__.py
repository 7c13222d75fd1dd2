"""Two runs of the same cases, side by side. Reads runs, and writes nothing.

* `sides`: which run is meant, and what each of its cases did
* `report_history`: the same of a native report
* `pairing`: the cases of both, and what of their evaluators can be compared
* `verdicts`: what became of each case
* `differences`: how the rates changed, and how sure that is
* `amounts`: how scores, seconds, cost and tokens changed
* `moves`: failures that are there before and after, elsewhere
* `doubts`: what else is not the same
* `comparing`: all of it
"""
