/** How long each step of a call may take, in ms. */
export interface Deadlines {
  /** Until a connection stands. */
  readonly connect: number
  /** From sending until the answer's first lines. */
  readonly headers: number
  /** Between two pieces of the answer. */
  readonly body: number
  /** The whole call. */
  readonly total: number
}

/** What holds unless a test says otherwise (docs/decisions/0004-reads.md). */
export const usualDeadlines: Deadlines = { connect: 3000, headers: 8000, body: 5000, total: 12_000 }
