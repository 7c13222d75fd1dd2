"""Why a case failed: the first layer that lost the answer."""
