"""What results say of a team, and how sure they are. Counts and numbers in, numbers out.

The unit is the case: its repeats are averaged first, and what is uncertain is which cases
there are. Nothing here reads a file or a clock, or knows an evaluator; what draws at random
takes its seed as an argument. docs/reference/statistics.md says how good each interval is.

- `cases`: how often a case passed, of how many runs.
- `intervals`: an interval, and an estimate with its own.
- `distributions`: normal, beta and binomial probabilities.
- `proportions`: intervals of a share of independent runs.
- `means`: the interval of a mean of numbers from 0 to 1, one a case.
- `rates`: the pass rate over cases, its interval and its lower bound.
- `left_out`: between what the rate lies where runs ended in an error.
- `repeats`: that all of k runs pass, or any of them.
- `flakiness`: cases that pass at times.
- `variance`: what comes from cases that differ, and what from repeats.
- `paired`: the difference of two runs of the same cases.
- `mcnemar`, `permutation`: how surprising it is, if nothing changed; `one_case`: of one case alone.
- `mean_differences`: the difference of numbers of any size.
- `multiplicity`: several tests at once.
- `samples`: medians and percentiles of seconds and cost.
- `populations`, `power`: what a plan would notice, before it is run.
"""
