import * as z from "zod/mini"
import { bookMonth } from "./books.ts"
import { job } from "./job.ts"
import { apis } from "./response.ts"

const item = { key: z.string(), read: z.boolean() }

/** A job that needs a person, has failed rows neither retried nor dismissed, or is finished; `at` is ISO 8601. */
const jobNotice = z.object({
  ...item,
  kind: z.enum(["decision", "paused", "failed", "finished"]),
  at: z.string(),
  job,
  /** Of a decision about the returned points of one order; `twice`: the service returned them after our award. */
  returned: z.optional(z.object({ order_id: z.string(), twice: z.boolean() })),
})

/** A notice that needs no service call; it disappears once it no longer applies. */
const notice = z.discriminatedUnion("kind", [
  jobNotice,
  z.object({ ...item, kind: z.literal("fund"), left_cents: z.int() }),
  /** Rewards low on stock, in the catalogue as it was read last; `about` names the first of them. */
  z.object({ ...item, kind: z.literal("stock"), count: z.int(), about: z.array(z.string()) }),
  /** Differences from the documents with a warning; `about` names their operations. */
  z.object({ ...item, kind: z.literal("drift"), count: z.int(), about: z.array(z.string()) }),
  /** Unexplained differences in months of the books that are not closed; `month`: the newest with one. */
  z.object({ ...item, kind: z.literal("books"), count: z.int(), month: bookMonth }),
  /** A service refused its key when it was used last. */
  z.object({ ...item, kind: z.literal("key"), api: z.enum(apis) }),
])
export type Notice = z.output<typeof notice>

/** Response of `GET /api/notices`: current conditions, then jobs, newest first. */
export const notices = z.array(notice)

/** Days that a job stays in the notices. */
export const noticeDays = 30

/** Body of `PUT /api/notices/read`. */
export const readNoticesBody = z.strictObject({
  keys: z.array(z.string().check(z.maxLength(200))).check(z.maxLength(200)),
})
