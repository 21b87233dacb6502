import type { JobKind } from "../../contract/job.ts"
import type { Api } from "../../contract/status.ts"

interface JobLabels {
  /** The drawer's title. */
  readonly title: string
  /** What needs the permission: "Awarding points". */
  readonly activity: string
  /** What a person without the permission can and cannot do. */
  readonly notAllowed: string
  /** What did not happen. */
  readonly notDone: string
  /** One word above the sentence that says what was done. */
  readonly confirmed: string
  /** Where a row without a usable response is looked up: "in the ledger". */
  readonly lookup: string
  /** What shows that such a row happened: "the ledger". */
  readonly source: string
  /** A link to a job of another kind. */
  readonly otherJob: string
  /** The service it goes to. */
  readonly api: Api
}

/** What the drawer of each kind of job says, whatever the job is about. */
export const jobLabels: Readonly<Record<JobKind, JobLabels>> = {
  award: {
    title: "Award points",
    activity: "Awarding points",
    notAllowed: "You can view points but not change them.",
    notDone: "Couldn’t award the points.",
    confirmed: "Confirmed",
    lookup: "in the ledger",
    source: "the ledger",
    otherJob: "This link is for a job that isn’t an award.",
    api: "program",
  },
  deduct: {
    title: "Deduct points",
    activity: "Deducting points",
    notAllowed: "You can view points but not change them.",
    notDone: "Couldn’t deduct the points.",
    confirmed: "Confirmed",
    lookup: "in the ledger",
    source: "the ledger",
    otherJob: "This link is for a job that isn’t a deduction.",
    api: "program",
  },
  redeem: {
    title: "Redeem for a member",
    activity: "Redeeming",
    notAllowed: "You can view rewards but not redeem them.",
    notDone: "Nothing was redeemed.",
    confirmed: "Confirmed",
    lookup: "among the member's orders",
    source: "the member’s orders",
    otherJob: "This link is for a job that isn’t a redemption.",
    api: "program",
  },
  "order-update": {
    title: "Change the order",
    activity: "Changing orders",
    notAllowed: "You can view orders but not change them.",
    notDone: "Couldn’t change the order.",
    confirmed: "Confirmed",
    lookup: "in the order itself",
    source: "the order itself",
    otherJob: "This link is for a job that isn’t a change of this order.",
    api: "program",
  },
  "member-create": {
    title: "New member",
    activity: "Creating members",
    notAllowed: "You can view members but not create them.",
    notDone: "Couldn’t create the member.",
    confirmed: "Created",
    lookup: "by the e-mail",
    source: "the member list",
    otherJob: "This link is for a job that doesn’t create a member.",
    api: "program",
  },
  giftcard: {
    title: "Issue a gift card",
    activity: "Issuing gift cards",
    notAllowed: "You can view gift cards but not issue them.",
    notDone: "No card was issued.",
    confirmed: "Issued",
    lookup: "by its reference",
    source: "a lookup by its reference",
    otherJob: "This link is for a job that doesn’t issue a gift card.",
    api: "giftcard",
  },
}
