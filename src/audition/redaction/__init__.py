"""Secrets out of records, by the name of their place and by known shape, never by entropy.

* `names`: which names say that a secret stands under them
* `stand_ins`: what stands where one would, and is none
* `parts`: what every text has that holds one
* `shapes`: where in a text a secret stands
* `serialised`: JSON text that is told to be free of them at once
* `known`: those that are known from elsewhere in a record
* `records`: what is in a JSON value, and the value without it
* `files`: what is in files that are to be shared
"""
