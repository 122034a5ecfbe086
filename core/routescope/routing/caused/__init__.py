"""Effects of units: scores under interventions, paired changes, subsets, Shapley values, retention, importance."""
