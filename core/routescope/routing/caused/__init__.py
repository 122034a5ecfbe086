"""What units cause: scores under interventions, paired effects, subsets, Shapley values, retention, importance."""
