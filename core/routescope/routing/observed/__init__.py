"""What is observed of routing over data: usage, measures of shares, similarity. Nothing here is an effect."""
