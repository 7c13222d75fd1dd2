"""A model of rules: it reads what it is given, as a language model does, and decides by rules.

`model` is the door. `question` reads questions, `evidence` reads search results, `matching`
brings the two together, and `answers` and its neighbours write; `ingestion` takes pages in.
Nothing here reads anything but the conversation: no store, no catalog, no state between requests.
"""
