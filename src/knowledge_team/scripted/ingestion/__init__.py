"""How the scripted model takes in a page: what it says as facts, by rules about English sentences.

`blocks` takes the text apart, `addressed` leaves out what speaks to its reader, `naming`, `aliases`
and `clauses` find who a sentence is about, `relations`, `kinds` and `values` what it says of them,
`extraction` puts that together, and `steps` decides which tool comes next. No rule knows a name.
"""
