import * as z from "zod/mini"
import { forNames, memberDetailNames, memberFields, memberFieldsSeenBy } from "../program/member-fields.ts"
import { storable } from "../program/common.ts"
import { type Member, updateMemberBody } from "../program/member.ts"
import type { JobKindDescriptor } from "./descriptor.ts"
import { memberOfRow, oneMember } from "./points.ts"

/** What rows change. Custom fields are sent whole (docs/api/program.md, Update member), so they are edited one by one. */
export const memberUpdateFields = ["first_name", "last_name", ...memberDetailNames, "status"] as const
export type MemberUpdateField = (typeof memberUpdateFields)[number]

/** A field as changes compare it: missing texts are empty, a missing status is an incomplete record, without case. */
export function memberFieldValue(member: Member, field: MemberUpdateField): string | undefined {
  return field === "status" ? member.status?.toLowerCase() : (member[field] ?? "")
}

/** Fields as a person saw them; missing fields are not compared, null and empty are equal. */
export const memberBaseline = z.strictObject(
  forNames(memberUpdateFields, () => z.nullish(z.string().check(storable))),
)

const { metadata: _, ...writable } = updateMemberBody.shape

/** A row of a job of changes: fields to change, and what the person saw before. Empty text clears a field. */
export const memberUpdateRow = z
  .strictObject({ ...memberOfRow, ...writable, expected: z.optional(memberBaseline) })
  .check(
    oneMember,
    z.refine(
      (row) => memberUpdateFields.some((field) => row[field] !== undefined),
      "Change at least one field.",
    ),
  )
export type MemberUpdateRow = z.output<typeof memberUpdateRow>

const labels = forNames(memberUpdateFields, (field) => memberFields[field].label)
const seenByViewers = memberFieldsSeenBy("viewer")

export const memberUpdate = {
  api: "program",
  permission: "members.edit",
  reads: "members.read",
  audit: { action: "member.update", label: "Edited a member" },
  // The request is also sent for one member, without a job (core/members/member-edits.ts).
  operations: [],
  // The member is read first.
  requestsPerRow: 2,
  subject: "member",
  showsBatchCode: false,
  canUndo: true,
  name: "Member update",
  noun: "member update",
  pastTense: "changed",
  record: "member",
  recordLabel: "Member id",
  fields: { member_id: "Member id or e-mail", ...labels },
  clearWord: "(clear)",
  resultFields: ["member_id", "email", "member", ...memberUpdateFields],
  visibleInput: {
    fulfilment: ["member_id"],
    viewer: ["member_id", ...memberDetailNames.filter((name) => seenByViewers.includes(name)), "status"],
  },
  labels: {
    title: "Change members",
    activity: "Changing members",
    notAllowed: "You can view members but not change them.",
    notDone: "Couldn’t change the member.",
    confirmed: "Done",
    lookup: "in the member’s record",
    source: "the member’s record",
    otherJob: "This link is for a job that doesn’t change members.",
    refused: "The service refused to change members",
  },
  decision: {
    question: "Was {who} changed?",
    again: "Send the change again",
    resendRisk: "The member is checked first, so nothing is overwritten.",
  },
} as const satisfies JobKindDescriptor
