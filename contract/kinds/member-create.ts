import { forNames, memberDetailNames, memberFields, memberFieldsSeenBy } from "../program/member-fields.ts"
import type { JobKindDescriptor } from "./descriptor.ts"

const written = ["email", "first_name", "last_name", ...memberDetailNames] as const
const seenByViewers = memberFieldsSeenBy("viewer")

/** New members; the schema of a row is `createMemberBody` (contract/program/member.ts). */
export const memberCreate = {
  api: "program",
  permission: "members.edit",
  reads: "members.read",
  audit: { action: "member.create", label: "Created a member" },
  operations: ["POST /members"],
  // The e-mail is looked up first.
  requestsPerRow: 2,
  subject: "member",
  showsBatchCode: false,
  name: "New members",
  noun: "new member",
  pastTense: "created",
  record: "member",
  recordLabel: "Member id",
  fields: forNames(written, (name) => memberFields[name].label),
  resultFields: written,
  visibleInput: { fulfilment: [], viewer: memberDetailNames.filter((name) => seenByViewers.includes(name)) },
  labels: {
    title: "New member",
    activity: "Creating members",
    notAllowed: "You can view members but not create them.",
    notDone: "Couldn’t create the member.",
    confirmed: "Created",
    lookup: "by the e-mail",
    source: "the member list",
    otherJob: "This link is for a job that doesn’t create a member.",
    preparing: "Checking who is a member already",
    refused: "The service refused to create members",
  },
  decision: {
    question: "Was {who} created?",
    again: "Create the member again",
    resendRisk: "If it did happen, {who} may be created twice.",
  },
} as const satisfies JobKindDescriptor
