import * as z from "zod/mini"
import { existingEmail } from "../email-address.ts"
import { idText } from "../program/common.ts"
import { newMetadata } from "../program/member.ts"
import { awardBody, deductBody } from "../program/points.ts"
import type { JobKindDescriptor } from "./descriptor.ts"

/** What a row does when another amount was awarded for its reference: award the difference, or all of it besides. */
export const corrections = ["difference", "as_well"] as const
export type Correction = (typeof corrections)[number]

/** How a row names its member. */
export const memberOfRow = {
  member_id: z.optional(idText("Choose a member.")),
  email: z.optional(existingEmail),
}

export const oneMember = z.refine<{
  readonly member_id?: string | undefined
  readonly email?: string | undefined
}>(
  ({ member_id, email }) => (member_id === undefined) !== (email === undefined),
  "Give either member_id or email.",
)

/** A row of a job of awards; `points` are at least 1. */
export const awardRow = z
  .strictObject({
    ...memberOfRow,
    points: awardBody.shape.points,
    reason: awardBody.shape.reason,
    reference: awardBody.shape.reference,
    metadata: z.optional(newMetadata),
    /** For a row with another amount than before; without it the row is left out (`other_amount`). */
    correction: z.optional(z.enum(corrections)),
  })
  .check(oneMember)
export type AwardRow = z.output<typeof awardRow>

/** A row of a job of deductions; `points` are positive and taken away. */
export const deductRow = z
  .strictObject({ ...memberOfRow, points: deductBody.shape.points, reason: deductBody.shape.reason })
  .check(oneMember)
export type DeductRow = z.output<typeof deductRow>

const points = {
  api: "program",
  permission: "points.write",
  reads: "ledger.read",
  record: "entry",
  recordLabel: "Ledger entry",
} as const
const pointsLabels = {
  notAllowed: "You can view points but not change them.",
  confirmed: "Done",
  lookup: "in the ledger",
  source: "the ledger",
} as const

export const award = {
  ...points,
  audit: { action: "points.award", label: "Awarded points" },
  operations: ["POST /points/award", "POST /points/award/bulk"],
  sign: 1,
  limit: "points",
  reversedBy: "deduct",
  requestsPerRow: 1,
  subject: "member",
  name: "Award",
  noun: "award",
  pastTense: "awarded",
  fields: { member_id: "Member id or e-mail", points: "Points", reason: "Reason", reference: "Reference" },
  resultFields: ["member_id", "email", "member", "points", "reason", "reference"],
  visibleInput: { fulfilment: ["member_id"], viewer: ["member_id", "points", "reason", "reference"] },
  labels: {
    ...pointsLabels,
    title: "Award points",
    activity: "Awarding points",
    notDone: "Couldn’t award the points.",
    otherJob: "This link is for a job that isn’t an award.",
  },
  decision: {
    question: "Did {who} get these {what}?",
    again: "Award {what} again",
    resendRisk: "If it did happen, {who} gets {what} twice.",
  },
} as const satisfies JobKindDescriptor

export const deduct = {
  ...points,
  audit: { action: "points.deduct", label: "Deducted points" },
  operations: ["POST /points/deduct"],
  sign: -1,
  limit: "points",
  requestsPerRow: 1,
  subject: "member",
  name: "Deduction",
  noun: "deduction",
  pastTense: "deducted",
  fields: { member_id: "Member id or e-mail", points: "Points", reason: "Reason" },
  resultFields: ["member_id", "email", "member", "points", "reason"],
  visibleInput: { fulfilment: ["member_id"], viewer: ["member_id", "points", "reason"] },
  labels: {
    ...pointsLabels,
    title: "Deduct points",
    activity: "Deducting points",
    notDone: "Couldn’t deduct the points.",
    otherJob: "This link is for a job that isn’t a deduction.",
  },
  decision: {
    question: "Were these {what} deducted from {who}?",
    again: "Deduct {what} again",
    resendRisk: "If it did happen, {who} loses {what} twice.",
  },
} as const satisfies JobKindDescriptor
