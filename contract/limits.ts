/** Limits of both documents, and Laurel's own where they have none (docs/open-points.md). */
export const limits = {
  perPage: { default: 25, max: 100 },
  /** Rows of a page of the local copy. Ours. */
  copyPage: 1000,
  rankings: { default: 10, max: 100 },
  pointsMin: 1,
  /** Largest whole number every side keeps exactly, in points. Ours. */
  pointsMax: 1_000_000_000,
  /** Lengths of texts, in characters. Ours: the documents set none. */
  reason: 500,
  /** Pieces of one redemption: any whole number from 1; a form asks once above `askAbove`. Ours. */
  quantity: { min: 1, askAbove: 99 },
  shortText: 200,
  phone: 40,
  /** Number of keys, characters of a key and of a value, and how deep values are nested. Ours. */
  metadata: { keys: 50, key: 60, value: 2000, depth: 20 },
  /** Ours: halved and remembered when the service refuses. */
  bulkRows: 100,
  /** Rows in one request that makes a job, and in one that adds to a draft; rows of a whole job. Ours. */
  jobRowsAtOnce: 10_000,
  jobRowsAdded: 1000,
  jobRows: 200_000,
  /** Ours: with the largest metadata the body's bound is first. */
  rowsCompared: 2500,
  ordersAtOnce: 200,
  /** Numbers of further parcels that a row about an order may keep. */
  otherParcels: 20,
  numbersAtOnce: 500,
  /** docs/api/giftcard.md, Limits */
  cardExpiryDays: { min: 30, max: 365, default: 90 },
  cardReference: 255,
  referencesAtOnce: 500,
  bodyBytes: 1_000_000,
  /** How deep a body of a request to Laurel may be nested: a job's row with the deepest metadata needs 24. */
  bodyDepth: 32,
  note: 4000,
  jobTitle: 120,
  /** Days of the chart on the home page. Ours. */
  chartDays: 30,
  passwordMin: 10,
  passwordMax: 200,
} as const

/** Share of a key's requests for background work while people are active (docs/budget.md). */
const jobsShare = 5 / 6

/** Whole seconds that requests take at the rate that a key allows. */
export function secondsFor(requests: number, perMinute: number, lane: "people" | "jobs"): number {
  return Math.ceil((requests * 60) / (perMinute * (lane === "jobs" ? jobsShare : 1)))
}
