/** How long a session lives after its last use, in seconds. */
export const sessionSeconds = 12 * 60 * 60

/** A session in use is lengthened this often, in seconds: not a write for every request. */
export const refreshSeconds = 5 * 60

/** How long a session lives at most, however much it is used, in seconds; SESSION_MAX_DAYS sets another time. */
export const longestSessionSeconds = 7 * 24 * 60 * 60
