"""How the scripted model takes in a page: what it says as facts, by rules about English sentences.

`blocks` and `sentences` take the text apart, `addressed` leaves out what speaks to its reader,
`naming` and `subjects` find who a sentence is about, `relations` and `kinds` what it says of them,
`extraction` puts that together, and `steps` decides which tool comes next. No rule knows a name.
"""
