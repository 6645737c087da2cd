"""Why a step can be refused, as numbers: `refusal` returns one, and `words/clauses.py` has its sentence."""

(
    LEGAL,
    GAME_OVER,
    OUT_OF_PLAY,
    PLAY_NOT_ASKED,
    CARD_NOT_IN_HAND,
    BUILD_NOT_ASKED,
    BUILD_ON_THE_EMPTY_SITE,
    MOVE_NOT_ASKED,
    MOVE_WHERE_YOU_BUILT,
    MOVE_IN_A_SCORED_CITY,
    MOVE_WITHOUT_A_FLOOR,
    MOVE_FROM_AN_EMPTY_SITE,
    TAKE_NOT_ASKED,
    TAKE_WHERE_NONE_LIES,
    TAKE_WHERE_YOU_BUILT,
    SEND_NOT_ASKED,
    SEND_ON_A_TAKEN_ROAD,
    SEND_WHERE_YOU_BUILT,
    SEND_BESIDE_TWO,
    SEND_WITHOUT_MESSENGERS,
) = range(20)
