import * as z from "zod/mini"
import { limits } from "../limits.ts"
import { idText } from "../program/common.ts"
import type { JobKindDescriptor } from "./descriptor.ts"

/** A row of a job that moves all points of a member to another one and deactivates the first; `points`: as shown. */
export const memberMergeRow = z
  .strictObject({
    member_id: idText("Choose a member."),
    into: idText("Choose the other member."),
    points: z.int().check(z.minimum(0), z.maximum(limits.pointsMax)),
  })
  .check(
    z.refine(({ member_id, into }) => member_id !== into, {
      path: ["into"],
      error: "Choose another member.",
    }),
  )

/** Response of `GET /api/members/{id}/merge`: how far the merge of this member into another one is; null: none. */
export const memberMergeView = z.nullable(
  z.object({
    into: z.string(),
    points: z.int(),
    /** One after the other; `stopped`: a person is needed for the next one. */
    step: z.enum(["deducting", "awarding", "deactivating", "done", "stopped"]),
    /** Whether the points were taken from this member. */
    deducted: z.boolean(),
    message: z.nullable(z.string()),
    /** The row that is under way, or that a person has to settle. */
    next: z.object({ job: z.string(), row: z.int() }),
  }),
)
export type MemberMergeView = z.output<typeof memberMergeView>

export const memberMerge = {
  api: "program",
  // Its roles may deactivate members, too.
  permission: "points.write",
  reads: "ledger.read",
  audit: { action: "member.merge", label: "Merged a member into another" },
  // The requests are those of a deduction, an award and an edit.
  operations: [],
  sign: -1,
  // Two reads and the deduction; the award and the edit are separate jobs.
  requestsPerRow: 3,
  subject: "member",
  name: "Merge",
  noun: "merge",
  pastTense: "merged",
  record: "entry",
  recordLabel: "Ledger entry",
  fields: { member_id: "Member id", into: "Into member", points: "Points" },
  resultFields: ["member_id", "member", "into", "points"],
  visibleInput: { fulfilment: ["member_id"], viewer: ["member_id", "into", "points"] },
  labels: {
    title: "Merge into another member",
    activity: "Merging members",
    notAllowed: "You can view members but not merge them.",
    notDone: "Nothing was moved.",
    confirmed: "Points taken",
    lookup: "in the ledger",
    source: "the ledger",
    otherJob: "This link is for a job that isn’t a merge.",
  },
  decision: {
    question: "Were these {what} deducted from {who}?",
    again: "Deduct {what} again",
    resendRisk: "If it did happen, {who} has other points by now, and nothing is sent.",
  },
} as const satisfies JobKindDescriptor
