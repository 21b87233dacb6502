/**
 * Outcome of one write at the fake service. `commit`: ms from its arrival until it is booked, null: never;
 * `answerMs`: when the response is sent.
 */
export interface Fate {
  readonly commit: number | null
  readonly answer:
    /** As documented. */
    | "good"
    /** The connection ends without a response. */
    | "none"
    /** A 500 with a well-formed error. */
    | "error"
    /** 200 with HTML or truncated JSON. */
    | "unreadable"
    /** A success without usable data. */
    | "strange"
    /** The response to the previous write, as a caching proxy may return it. */
    | "kept"
    /** A definite 400. Nothing is booked, whatever `commit` says. */
    | "refused"
    /** 401: the API key is refused. Nothing is booked. */
    | "locked"
    /** 403: a single write books nothing; a bulk request may have booked some rows before it. */
    | "forbidden"
    /** 422 for a bulk request that may have booked some rows; a single write books nothing. */
    | "refused-together"
    /** 429. Nothing is booked. */
    | "limited"
    /** The connection failed. Nothing is booked. */
    | "unsent"
  readonly answerMs: number
  /** ms until the history shows what was booked. */
  readonly lagMs: number
  /** Number of items of a bulk request that are booked; null: all. */
  readonly keep: number | null
}

/** A successful write. */
export const goodFate: Fate = { commit: 0, answer: "good", answerMs: 20, lagMs: 0, keep: null }

/** Record fields that a damaged read may lack. */
export const readFields = [
  "transaction_id",
  "reason",
  "reference",
  "metadata",
  "points",
  "created_at",
  "email",
] as const

/** Outcome of a read: no response, a refused key, or a list whose records all lack a field. */
export type ReadFate = "good" | "none" | "locked" | (typeof readFields)[number]
