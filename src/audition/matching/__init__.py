"""Matching is one place: what is looked for against what was said. Text and JSON in, findings out.

Nothing here knows a case, an event or an evaluator; nothing reads a file or a clock.

- `text`: the normal form in which texts are compared, and excerpts for a reader.
- `terms`: what an author may look for in a text, `find` and the nearest miss.
- `similarity`: how near a text comes to what is not in it.
- `patterns`: regular expressions in linear time.
- `numbers`: the numbers that stand in a text, however they are written.
- `json_values`: deep, typed comparison of JSON, with every difference by its pointer.
- `json_matchers`: the `$` spellings inside an expected JSON value, and their check.
- `json_equality`: when two JSON values are equal.
- `json_paths`: the small path language that picks values out of JSON.
- `tool_calls`: two calls of a tool, and the rules by which their arguments are compared.
- `trajectories`: who spoke and which tools were called, beside what was expected.
- `chat_messages`: chat messages and short lists of calls as trajectories.
- `assignment`: the largest pairing of two sides, never the first that comes.
"""
