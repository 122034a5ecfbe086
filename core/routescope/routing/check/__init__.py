"""What must hold of any network that routes: invariants that one checks before trusting a figure of it, as in CI."""
