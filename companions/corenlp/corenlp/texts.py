"""What a caller may give as a text, brought into one form."""


def known_tokens(text):
    """Sentences as lists of (word, tag or None), from tokens, tagged tokens or a list of such
    sentences; None of a str, which the server cuts. A sentence without words keeps its place."""
    if isinstance(text, str):
        return None
    sentences = list(text)
    if sentences and all(isinstance(word, str) or is_tagged(word) for word in sentences):
        sentences = [sentences]
    return [words_of(sentence) for sentence in sentences]


def words_of(sentence):
    if isinstance(sentence, str) or not hasattr(sentence, "__iter__"):
        raise TypeError(f"a sentence is a list of words or of (word, tag), not {sentence!r}")
    words = [(word, None) if isinstance(word, str) else word for word in sentence]
    for word in words:
        if not is_tagged(word) or not word[0].strip():
            raise TypeError(f"{word!r} is neither a word nor a (word, tag)")
        if any("\ud800" <= c <= "\udfff" for part in word if part for c in part):
            raise ValueError(f"{word!r} holds half of a character")
    return [(word, tag or None) for word, tag in words]


def is_tagged(word):
    return isinstance(word, tuple) and len(word) == 2 and isinstance(word[0], str) and (word[1] is None or isinstance(word[1], str))


def all_tagged(sentence):
    return all(tag is not None for _, tag in sentence)
