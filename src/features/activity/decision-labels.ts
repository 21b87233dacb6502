import type { Candidate, DecisionBody, JobRow } from "../../../contract/job-rows.ts"
import type { JobKind } from "../../../contract/job.ts"
import { jobKindDescriptors } from "../../../contract/job-kinds.ts"
import { clockTime, rowLabel, rowPoints } from "./job-status.tsx"
import { counted } from "../../lib/format.ts"
import { duration } from "../../lib/time.ts"

/** What a person can choose. A candidate's id is never part of the fixed words. */
export type Choice =
  | { readonly kind: "candidate"; readonly candidate: Candidate }
  | { readonly kind: "happened" | "resend" | "leave" }

/** Names a choice within its group of radio buttons. */
export function choiceKey(choice: Choice): string {
  return choice.kind === "candidate" ? `entry ${choice.candidate.upstream_id}` : choice.kind
}

/** What is sent for a choice, with the reason where one was given. */
export function decisionOf(choice: Choice, reason: { reason?: string }): DecisionBody {
  if (choice.kind !== "candidate") return { decision: choice.kind, ...reason }
  return { decision: "happened", upstream_id: choice.candidate.upstream_id, ...reason }
}

/** The question, as the panel's title. */
export function questionTitle(kind: JobKind, row: JobRow): string {
  if (row.conflict !== undefined) return `Two changes of ${rowLabel(row)}`
  return filled(jobKindDescriptors[kind].decision.question, kind, row)
}

function filled(text: string, kind: JobKind, row: JobRow): string {
  const points = rowPoints(kind, row)
  const what = points === undefined ? "points" : counted(Math.abs(points), "point")
  return text
    .replace("{who}", () => rowLabel(row))
    .replace("these {what}", `these ${what}`)
    .replace("{what}", points === undefined ? "these points" : what)
}

/** What the button does: the choice, in the words of its effect. */
export function actionLabel(choice: Choice | undefined, kind: JobKind, row: JobRow, now: number): string {
  if (choice === undefined) return "Choose what happened"
  if (choice.kind === "candidate") {
    const { record } = jobKindDescriptors[kind]
    const { created_at: at } = choice.candidate
    return at === null ? `Link this ${record}` : `Link the ${record} of ${clockTime(at, now)}`
  }
  if (choice.kind === "resend" && row.conflict === undefined) {
    return filled(jobKindDescriptors[kind].decision.again, kind, row)
  }
  return choiceText(choice, kind, row, now).title
}

interface ChoiceText {
  readonly title: string
  /** What it does; a candidate shows what is known of it instead. */
  readonly help?: string
}

/** What a choice says in the list. */
export function choiceText(choice: Choice, kind: JobKind, row: JobRow, now: number): ChoiceText {
  const { record, decision } = jobKindDescriptors[kind]
  if (choice.kind === "candidate") {
    const { created_at: at } = choice.candidate
    return {
      title: `It happened: the ${record} ${at === null ? "without a time" : `of ${clockTime(at, now)}`}`,
    }
  }
  if (row.conflict !== undefined) return conflictTexts[choice.kind]
  const article = record === "order" || record === "entry" ? "an" : "a"
  const texts: Record<typeof choice.kind, ChoiceText> = {
    happened: {
      title: "It happened",
      help: `Without ${article} ${record} to link: you’ve confirmed it at the service yourself.`,
    },
    resend: { title: "It didn’t happen: send it again", help: filled(decision.resendRisk, kind, row) },
    leave: { title: "Leave it open", help: "The job finishes without this row. You can decide later." },
  }
  return texts[choice.kind]
}

/** Somebody else changed the order meanwhile, and both are shown (docs/decisions/0010-orders.md). */
const conflictTexts: Readonly<Record<"happened" | "resend" | "leave", ChoiceText>> = {
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

/** When an entry was made, beside when the row was sent. `before`: it can hardly be the row's effect. */
export function sendingDistance(afterMs: number | null): { text: string; before: boolean } | undefined {
  if (afterMs === null) return undefined
  const before = afterMs < 0
  if (Math.abs(afterMs) < 1000) return { text: "at the time of sending", before: false }
  return { text: `${duration(Math.abs(afterMs))} ${before ? "before" : "after"} sending`, before }
}
