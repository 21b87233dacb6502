import type { Candidate, DecisionBody, JobRow } from "../../../contract/job-rows.ts"
import type { Job } from "../../../contract/job.ts"
import { clockTime, rowLabel, rowPoints } from "./job-status.tsx"
import { formatPoints } from "../../lib/format.ts"
import { duration } from "../../lib/time.ts"

/** What a person can choose. A candidate's id is never part of the fixed words. */
export type Choice =
  | { readonly kind: "candidate"; readonly candidate: Candidate }
  | { readonly kind: "happened" }
  | { readonly kind: "resend" }
  | { readonly kind: "leave" }

/** Names a choice within its group of radio buttons. */
export function choiceKey(choice: Choice): string {
  return choice.kind === "candidate" ? `entry ${choice.candidate.upstream_id}` : choice.kind
}

/** What is sent for a choice; a reason only where one was asked for. */
export function decisionOf(choice: Choice, reason: string): DecisionBody {
  const said = reason.trim() === "" ? {} : { reason: reason.trim() }
  switch (choice.kind) {
    case "candidate":
      return { decision: "happened", upstream_id: choice.candidate.upstream_id, ...said }
    case "happened":
      return { decision: "happened", ...said }
    case "resend":
      return { decision: "resend", ...said }
    default:
      return { decision: "leave", ...said }
  }
}

/** The effect of a row in a few words: "750 points", "this member". */
function effectWords(kind: Job["kind"], row: JobRow): string {
  const points = rowPoints(kind, row)
  if (kind === "giftcard") return "this card"
  if (points === undefined) return kind === "member-create" ? "this member" : "these points"
  return `${formatPoints(Math.abs(points))} ${Math.abs(points) === 1 ? "point" : "points"}`
}

/** What the service shows that could be a row's effect: "entry" is one of the ledger. */
export function nounOf(kind: Job["kind"]): "member" | "card" | "entry" | "order" {
  if (kind === "giftcard") return "card"
  if (kind === "redeem" || kind === "order-update") return "order"
  return kind === "member-create" ? "member" : "entry"
}

/** The question, as the panel's title. */
export function questionWords(kind: Job["kind"], row: JobRow): string {
  const who = rowLabel(row)
  if (kind === "member-create") return `Was ${who} created?`
  if (kind === "giftcard") return `Was the card for ${who} issued?`
  if (kind === "redeem") return `Was this redeemed for ${who}?`
  if (kind === "order-update") return row.conflict ? `Two changes of ${who}` : `Was ${who} changed?`
  const points = rowPoints(kind, row)
  const what = points === undefined ? "these points" : `these ${effectWords(kind, row)}`
  return kind === "deduct" ? `Were ${what} deducted from ${who}?` : `Did ${who} get ${what}?`
}

/** What the button does: the choice, in the words of its effect. */
export function actionWords(choice: Choice | undefined, kind: Job["kind"], row: JobRow, now: number): string {
  if (choice === undefined) return "Choose what happened"
  const noun = nounOf(kind)
  switch (choice.kind) {
    case "candidate": {
      const { created_at: at } = choice.candidate
      return at === null ? `Link this ${noun}` : `Link the ${noun} of ${clockTime(at, now)}`
    }
    case "resend":
      return againWords(kind, row)
    default:
      return optionWords(choice.kind, kind, row).title
  }
}

/** A choice that links nothing, as it stands in the list: what it says and what it does. */
interface OptionWords {
  readonly title: string
  readonly help: string
}

/** What a choice without an entry to link says and does. */
export function optionWords(
  choice: "happened" | "resend" | "leave",
  kind: Job["kind"],
  row: JobRow,
): OptionWords {
  if (row.conflict !== undefined) return conflictWords[choice]
  switch (choice) {
    case "happened": {
      const without = nounOf(kind) === "entry" ? "Without an entry" : `Without ${article(nounOf(kind))}`
      return {
        title: "It happened",
        help: `${without} to link: you’ve confirmed it at the service yourself.`,
      }
    }
    case "resend":
      return { title: "It didn’t happen: send it again", help: resendWarning(kind, row) }
    default:
      return { title: "Leave it open", help: "The job finishes without this row. You can decide later." }
  }
}

function article(noun: string): string {
  return noun === "order" ? `an ${noun}` : `a ${noun}`
}

/** Somebody else changed the order meanwhile, and both are shown (docs/decisions/0010-orders.md). */
const conflictWords: Readonly<Record<"happened" | "resend" | "leave", OptionWords>> = {
  happened: {
    title: "Already resolved",
    help: "Nothing is sent: you’ve handled it at the service yourself.",
  },
  resend: {
    title: "Replace with ours",
    help: "Only the fields in the last column change, and only if the order hasn’t changed again.",
  },
  leave: {
    title: "Keep theirs",
    help: "Nothing is sent. You can change this decision later.",
  },
}

function againWords(kind: Job["kind"], row: JobRow): string {
  switch (kind) {
    case "award":
      return `Award ${effectWords(kind, row)} again`
    case "deduct":
      return `Deduct ${effectWords(kind, row)} again`
    case "member-create":
      return "Create the member again"
    case "giftcard":
      return "Issue the card again"
    case "redeem":
      return "Redeem it again"
    case "order-update":
      return row.conflict === undefined ? "Send the change again" : conflictWords.resend.title
    default:
      return "Send it again"
  }
}

/** What may go wrong when it is sent again though it happened after all. */
function resendWarning(kind: Job["kind"], row: JobRow): string {
  const who = rowLabel(row)
  if (kind === "member-create") return `If it did happen, ${who} may be created twice.`
  if (kind === "giftcard") {
    return "The same request is sent again: the service returns the same card and doesn’t issue a second one."
  }
  if (kind === "redeem") return `If it did happen, ${who} pays twice and there are two orders.`
  if (kind === "order-update") return "The order is checked first, so nothing is overwritten."
  const what = effectWords(kind, row)
  return kind === "deduct"
    ? `If it did happen, ${who} loses ${what} twice.`
    : `If it did happen, ${who} gets ${what} twice.`
}

/** When an entry was made, beside when the row was sent. `before`: it can hardly be the row's effect. */
export function distanceWords(afterMs: number | null): { words: string; before: boolean } | undefined {
  if (afterMs === null) return undefined
  const before = afterMs < 0
  if (Math.abs(afterMs) < 1000) return { words: "at the time of sending", before: false }
  return { words: `${duration(Math.abs(afterMs))} ${before ? "before" : "after"} sending`, before }
}
