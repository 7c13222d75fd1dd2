"""Ways to drive a team through a case; each module stands alone and imports its vendor late."""
