import type { AuditAction } from "./audit.ts"
import type { JobKind } from "./job.ts"
import type { Permission } from "./roles.ts"
import type { Api } from "./response.ts"

/** Everything that screens, files, the audit log and the server say about a kind of job besides how it is carried out. */
interface JobKindDescriptor {
  readonly api: Api
  /** Needed before a job of this kind is made or anything of it is sent again: the same as for the single effect. */
  readonly permission: Permission
  /** Shows what jobs of this kind change. */
  readonly reads: Permission
  readonly auditAction: AuditAction
  readonly hasPoints: boolean
  readonly name: string
  /** In lower case: "1 redemption"; its plural takes an s. */
  readonly noun: string
  /** What the service shows of a row that was carried out; `entry` is one of the ledger. */
  readonly record: "entry" | "member" | "order" | "card"
  readonly recordLabel: string
  /** Fields in which a row is corrected; `member_id` includes `email` where a row takes either. */
  readonly fields: Readonly<Record<string, string>>
  readonly resultFields: readonly string[]
  readonly labels: {
    readonly title: string
    /** What needs the permission: "Awarding points". */
    readonly activity: string
    /** Message for people with `reads` alone. */
    readonly notAllowed: string
    readonly notDone: string
    readonly confirmed: string
    /** Where a row without a usable response is looked up: "in the ledger". */
    readonly lookup: string
    /** What shows that such a row happened: "the ledger". */
    readonly source: string
    readonly otherJob: string
  }
  /** What a person is asked who decides a row: `{who}` is whom it concerns, `{what}` its points. */
  readonly decision: { readonly question: string; readonly again: string; readonly resendRisk: string }
}

const points = {
  api: "program",
  permission: "points.write",
  reads: "ledger.read",
  hasPoints: true,
  record: "entry",
  recordLabel: "Ledger entry",
} as const
const pointsLabels = {
  notAllowed: "You can view points but not change them.",
  confirmed: "Done",
  lookup: "in the ledger",
  source: "the ledger",
} as const

export const jobKindDescriptors = {
  award: {
    ...points,
    auditAction: "points.award",
    name: "Award",
    noun: "award",
    fields: { member_id: "Member id or e-mail", points: "Points", reason: "Reason", reference: "Reference" },
    resultFields: ["member_id", "email", "member", "points", "reason", "reference"],
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
  },
  deduct: {
    ...points,
    auditAction: "points.deduct",
    name: "Deduction",
    noun: "deduction",
    fields: { member_id: "Member id or e-mail", points: "Points", reason: "Reason" },
    resultFields: ["member_id", "email", "member", "points", "reason"],
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
  },
  "member-create": {
    api: "program",
    permission: "members.edit",
    reads: "members.read",
    auditAction: "member.create",
    hasPoints: false,
    name: "New members",
    noun: "new member",
    record: "member",
    recordLabel: "Member id",
    fields: {
      email: "E-mail",
      first_name: "First name",
      last_name: "Last name",
      company: "Company",
      phone: "Phone",
    },
    resultFields: ["email", "first_name", "last_name", "company", "phone"],
    labels: {
      title: "New member",
      activity: "Creating members",
      notAllowed: "You can view members but not create them.",
      notDone: "Couldn’t create the member.",
      confirmed: "Created",
      lookup: "by the e-mail",
      source: "the member list",
      otherJob: "This link is for a job that doesn’t create a member.",
    },
    decision: {
      question: "Was {who} created?",
      again: "Create the member again",
      resendRisk: "If it did happen, {who} may be created twice.",
    },
  },
  redeem: {
    api: "program",
    permission: "rewards.redeem",
    reads: "rewards.read",
    auditAction: "reward.redeem",
    hasPoints: false,
    name: "Redemption",
    noun: "redemption",
    record: "order",
    recordLabel: "Order",
    fields: { member_id: "Member id", reward_id: "Reward id", quantity: "Quantity" },
    resultFields: ["member_id", "member", "reward_id", "quantity"],
    labels: {
      title: "Redeem for a member",
      activity: "Redeeming",
      notAllowed: "You can view rewards but not redeem them.",
      notDone: "Nothing was redeemed.",
      confirmed: "Done",
      lookup: "among the member’s orders",
      source: "the member’s orders",
      otherJob: "This link is for a job that isn’t a redemption.",
    },
    decision: {
      question: "Was this redeemed for {who}?",
      again: "Redeem it again",
      resendRisk: "If it did happen, {who} pays twice and there are two orders.",
    },
  },
  "order-update": {
    api: "program",
    permission: "orders.update",
    reads: "orders.read",
    auditAction: "order.update",
    hasPoints: false,
    name: "Order update",
    noun: "order update",
    record: "order",
    recordLabel: "Order",
    fields: {
      order_id: "Order number",
      status: "Status",
      tracking_number: "Tracking number",
      carrier: "Carrier",
    },
    resultFields: ["order_id", "status", "tracking_number", "carrier"],
    labels: {
      title: "Change the order",
      activity: "Changing orders",
      notAllowed: "You can view orders but not change them.",
      notDone: "Couldn’t change the order.",
      confirmed: "Done",
      lookup: "in the order itself",
      source: "the order itself",
      otherJob: "This link is for a job that isn’t a change of this order.",
    },
    decision: {
      question: "Was {who} changed?",
      again: "Send the change again",
      resendRisk: "The order is checked first, so nothing is overwritten.",
    },
  },
  giftcard: {
    api: "giftcard",
    permission: "cards.issue",
    reads: "cards.read",
    auditAction: "card.issue",
    hasPoints: false,
    name: "Gift cards",
    noun: "gift card",
    record: "card",
    recordLabel: "Card id",
    fields: {
      email: "E-mail",
      firstname: "First name",
      lastname: "Last name",
      denomination: "Amount",
      cardId: "Card template",
      expiryDays: "Days",
      externalRef: "Reference",
      accountKey: "Account key",
    },
    resultFields: ["email", "member", "cardId", "denomination", "expiryDays", "externalRef"],
    labels: {
      title: "Issue a gift card",
      activity: "Issuing gift cards",
      notAllowed: "You can view gift cards but not issue them.",
      notDone: "No card was issued.",
      confirmed: "Issued",
      lookup: "by its reference",
      source: "a lookup by its reference",
      otherJob: "This link is for a job that doesn’t issue a gift card.",
    },
    decision: {
      question: "Was the card for {who} issued?",
      again: "Issue the card again",
      resendRisk:
        "The same request is sent again: the service returns the same card and doesn’t issue a second one.",
    },
  },
} as const satisfies Readonly<Record<JobKind, JobKindDescriptor>>
