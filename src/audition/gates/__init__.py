"""What a run must be, and whether it is; what a plan would find before it is run; baselines.

- `policy`: what a gate asks for, as it stands in a file; `policy_file` reads it.
- `subjects`: the run that is judged, or compared with, and why it may not be the whole.
- `slices`: how often the cases passed, by tag, layer, evaluator or agent.
- `decisions`: the verdict on counts. Pure: `planning` tries the same on runs that are made up.
- `bars`, `must_pass`, `margins`, `completeness`, `budgets`: one kind of rule each, as findings.
- `pairs`: which cases of two runs are the same.
- `findings`: what rules found, and what they mean together.
- `gate`: all rules of a policy on a run.
- `planned_rules`, `planning`: how often a gate would be red, and what drop it would find.
- `extrapolation`: what a plan would take.
- `baselines`: runs that others are compared with, kept without their outputs.
"""
