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

const usual = { connect: 3000, body: 5000, total: 12_000 }

/**
 * What holds unless it is said otherwise (docs/decisions/0004-reads.md). A slow answer is worth waiting for as long as
 * the call itself may last: given up before, a write that the service carried out would be one whose outcome nobody
 * knows.
 */
export function deadlinesOf(given: Partial<Deadlines> = {}): Deadlines {
  const total = given.total ?? usual.total
  return { ...usual, headers: total, ...given }
}
