import * as z from "zod/mini"

/** What a fault does; docs/sandbox.md describes each. */
const faultKinds = [
  "before-commit-500",
  "after-commit-500",
  "partial-bulk",
  "drop-before",
  "drop-after",
  "hang",
  "slow",
  "drip",
  "429",
  "html",
  "truncated",
  "empty",
  "late-commit",
  "lagging-history",
  "unknown-enum",
  "missing-field",
  "extra-field",
  "null-field",
  "wrong-type",
] as const
/** What a fault does. */
export type FaultKind = (typeof faultKinds)[number]

const count = z.int().check(z.minimum(1))

/** A fault as it is asked for. */
export const faultInput = z.strictObject({
  id: z.optional(z.string()),
  /** Which requests it meets; everything left out meets all. */
  match: z._default(
    z.strictObject({
      api: z.optional(z.enum(["program", "giftcard"])),
      method: z.optional(z.string()),
      /** Path as it is sent; `*` stands for anything: `/v1/members/*`. */
      path: z.optional(z.string()),
      /** Only the n-th request that matches, counted from 1. */
      nth: z.optional(count),
      /** Only every n-th request that matches. */
      every: z.optional(count),
      /** Only so often, from 0 to 1; drawn from the seeded generator. */
      probability: z.optional(z.number().check(z.minimum(0), z.maximum(1))),
      /** At most so many times. */
      times: z.optional(count),
    }),
    {},
  ),
  kind: z.enum(faultKinds),
  /** Status answered, for the kinds that answer an error or a page. */
  status: z.optional(z.int().check(z.minimum(200), z.maximum(599))),
  /** How long, for "slow", "drip", "late-commit" and "lagging-history". */
  ms: z.optional(z.int().check(z.minimum(0))),
  /** How a "partial-bulk" or "late-commit" is answered. */
  answer: z.optional(z.enum(["error", "ok", "drop", "hang"])),
  /** Whether the request is carried out; each kind has its own default. */
  commit: z.optional(z.boolean()),
  /** How many items of a bulk award are booked; half of them by default. */
  keep: z.optional(z.int().check(z.minimum(0))),
  /** Field that is damaged; one is drawn when left out. */
  field: z.optional(z.string()),
  /** What "unknown-enum" and "extra-field" put there. */
  value: z.optional(z.string()),
})

/** A fault as it is asked for. */
export type FaultInput = z.input<typeof faultInput>

/** A fault in the box, with how often it was met. */
export interface FaultRule extends z.output<typeof faultInput> {
  readonly id: string
  /** Requests that matched so far. */
  seen: number
  /** Times it struck so far. */
  fired: number
}
