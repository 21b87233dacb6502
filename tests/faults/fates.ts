/**
 * What becomes of one write at a made-up service. `commit` is ms from its arrival until it is booked, null: never;
 * `answerMs` is when its answer leaves. Nothing here says how the caller takes it.
 */
export interface Fate {
  readonly commit: number | null
  readonly answer:
    /** As the document says. */
    | "good"
    /** The connection ends without one. */
    | "none"
    /** A 500 with a well-formed error. */
    | "error"
    /** 200 with a page, or JSON cut short. */
    | "unreadable"
    /** A success whose data names nothing usable. */
    | "strange"
    /** The answer to the write before, which something in between has kept. */
    | "kept"
    /** A definite 400. Nothing is booked, whatever `commit` says. */
    | "refused"
    /** 401: the key is not let in. Nothing is booked. */
    | "locked"
    /** 403: a single write books nothing; of a bulk request some rows may have been booked before it was refused. */
    | "forbidden"
    /** 422 for a whole bulk request, some rows of which may have been booked; a single write books nothing. */
    | "refused-together"
    /** 429. Nothing is booked. */
    | "limited"
    /** The connection could not be made. Nothing is booked. */
    | "unsent"
  readonly answerMs: number
  /** What it booked is shown by the history so many ms later. */
  readonly lagMs: number
  /** Of a bulk request only the first so many items are booked; null: all. */
  readonly keep: number | null
}

/** A write that goes well. */
export const goodFate: Fate = { commit: 0, answer: "good", answerMs: 20, lagMs: 0, keep: null }

/** The fields of records that a read may lack. */
export const readFields = [
  "transaction_id",
  "reason",
  "reference",
  "metadata",
  "points",
  "created_at",
  "email",
] as const

/**
 * What becomes of a read: its connection ends without an answer, the key is not let in, or every record of its list
 * lacks a field.
 */
export type ReadFate = "good" | "none" | "locked" | (typeof readFields)[number]
