/** Bounds that both documents name, and the ones Laurel sets where they are silent (docs/decisions/0003-open-points.md). */
export const limits = {
  /** Rows in one page of a list (docs/api/program.md, Paging). */
  perPage: { default: 25, max: 100 },
  /** Rankings in one response (docs/api/program.md, Leaderboards). */
  rankings: { default: 10, max: 100 },
  /** Smallest award or deduction, in points (docs/api/program.md, Points). */
  pointsMin: 1,
  /** Largest whole number every side keeps exactly, in points. Ours. */
  pointsMax: 1_000_000_000,
  /** Reason of an award or deduction, in characters. Ours: the document sets none. */
  reason: 500,
  /** External reference of an award, in characters. Ours. */
  reference: 120,
  /** Pieces in one redemption. The most is ours, far beyond any order: the document sets none. */
  quantity: { min: 1, max: 1_000_000 },
  /** Name, company and similar short texts, in characters. Ours. */
  shortText: 200,
  phone: 40,
  /** Keys in a member's metadata, length of a key and of a value in characters, and how deep values are nested. Ours. */
  metadata: { keys: 50, key: 60, value: 2000, depth: 20 },
  /** Awards in one bulk request. Ours: halved and remembered when the service refuses. */
  bulkRows: 100,
  /** Rows in one request that makes a job, and in one that adds to a draft; rows of a whole job. Ours. */
  jobRowsAtOnce: 10_000,
  jobRowsAdded: 1000,
  jobRows: 200_000,
  /** Rows in one request that are compared with earlier ones. Ours: with the largest metadata the body's bound is first. */
  rowsCompared: 2500,
  /** Orders whose addresses are read at once; tracking numbers that are looked at at once. Ours. */
  ordersAtOnce: 200,
  numbersAtOnce: 500,
  /** Days until a gift card expires (docs/api/giftcard.md, Limits). */
  cardExpiryDays: { min: 30, max: 365, default: 90 },
  /** External reference and idempotency key of a card, in characters (docs/api/giftcard.md, Limits). */
  cardReference: 255,
  referencesAtOnce: 500,
  bodyBytes: 1_000_000,
  /** How deep a body of a request to Laurel may be nested: a job's row with the deepest metadata needs 24. */
  bodyDepth: 32,
  note: 4000,
  /** Shortest password of a desk user, in characters. */
  passwordMin: 10,
  passwordMax: 200,
} as const
