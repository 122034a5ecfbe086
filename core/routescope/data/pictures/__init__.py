"""Pictures with labels: digits, street digits, letters, shapes, and folders of a user's own."""
