"""How facts are said and drawn: values in, words, pieces and positions out; nothing here knows a request."""
