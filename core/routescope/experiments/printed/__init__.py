"""The figures of the papers, drawn from records and bundled models: ``figures`` lists, draws and describes them."""
