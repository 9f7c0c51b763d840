def test_allowed_tokens():
    pass


def test_token_trie():
    pass


def test_walk_trie():
    pass


def test_mask_array():
    pass


def test_token_target():
    pass


def test_mask_after():
    pass


def test_advance():
    pass


def test_token_index_rules():
    pass


def test_masks_match_python_l8_7():
    pass
