"""Tools as data: a card says which tool an agent has, and builds it for a store.

`cards` is what all cards have in common, `catalog` which there are. The tools themselves:
`search` reads the graph, `web` fetches pages, `graph` writes what they say, and `ingestion` ends
what a fetch began. What a tool returns is text: of `search` lines, of the others canonical JSON.
"""
