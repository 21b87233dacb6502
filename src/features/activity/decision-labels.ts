import type { Candidate, DecisionBody, JobRow } from "../../../contract/job-rows.ts"
import type { JobKind } from "../../../contract/job.ts"
import { jobKindDescriptors } from "../../../contract/job-kinds.ts"
import { clockTime, rowLabel, rowPoints } from "./job-status.tsx"
import { counted } from "../../lib/format.ts"
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

/** The question, as the panel's title. */
export function questionWords(kind: JobKind, row: JobRow): string {
  if (row.conflict !== undefined) return `Two changes of ${rowLabel(row)}`
  return filled(jobKindDescriptors[kind].decision.question, kind, row)
}

/** A text of the kind's descriptor for one row. */
function filled(text: string, kind: JobKind, row: JobRow): string {
  const points = rowPoints(kind, row)
  const what = points === undefined ? "points" : counted(Math.abs(points), "point")
  return text
    .replace("{who}", () => rowLabel(row))
    .replace("these {what}", `these ${what}`)
    .replace("{what}", points === undefined ? "these points" : what)
}

/** What the button does: the choice, in the words of its effect. */
export function actionWords(choice: Choice | undefined, kind: JobKind, row: JobRow, now: number): string {
  if (choice === undefined) return "Choose what happened"
  const noun = jobKindDescriptors[kind].record
  switch (choice.kind) {
    case "candidate": {
      const { created_at: at } = choice.candidate
      return at === null ? `Link this ${noun}` : `Link the ${noun} of ${clockTime(at, now)}`
    }
    case "resend":
      if (row.conflict !== undefined) return conflictWords.resend.title
      return filled(jobKindDescriptors[kind].decision.again, kind, row)
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
  kind: JobKind,
  row: JobRow,
): OptionWords {
  if (row.conflict !== undefined) return conflictWords[choice]
  switch (choice) {
    case "happened": {
      const { record } = jobKindDescriptors[kind]
      const article = record === "order" || record === "entry" ? "an" : "a"
      return {
        title: "It happened",
        help: `Without ${article} ${record} to link: you’ve confirmed it at the service yourself.`,
      }
    }
    case "resend":
      return {
        title: "It didn’t happen: send it again",
        help: filled(jobKindDescriptors[kind].decision.resendRisk, kind, row),
      }
    default:
      return { title: "Leave it open", help: "The job finishes without this row. You can decide later." }
  }
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

/** When an entry was made, beside when the row was sent. `before`: it can hardly be the row's effect. */
export function distanceWords(afterMs: number | null): { words: string; before: boolean } | undefined {
  if (afterMs === null) return undefined
  const before = afterMs < 0
  if (Math.abs(afterMs) < 1000) return { words: "at the time of sending", before: false }
  return { words: `${duration(Math.abs(afterMs))} ${before ? "before" : "after"} sending`, before }
}
