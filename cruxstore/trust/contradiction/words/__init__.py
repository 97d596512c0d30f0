"""The words that detectors know, language by language."""
