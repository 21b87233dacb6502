import {
  IconAlertTriangle,
  IconBan,
  IconCircleCheck,
  IconCircleDashed,
  IconHelpCircle,
  IconPlayerPause,
  IconPlayerPlay,
} from "@tabler/icons-react"
import type { Job, JobKind } from "../../../../contract/job.ts"
import { counted, formatCount } from "../../../lib/format.ts"
import type { StatusWord } from "../../../ui/status.tsx"

/** What a kind of job is called in filters and columns. */
export const kindNames: Readonly<Record<JobKind, string>> = {
  award: "Award",
  deduct: "Deduction",
  "member-create": "New members",
  redeem: "Redemption",
  "order-update": "Order update",
  giftcard: "Gift cards",
}

/** "1 row", "500 rows": `rowsText(500)`, or of something else: `rowsText(1, "member")`. */
export function rowsText(count: number, noun = "row"): string {
  return counted(count, noun)
}

/** A job's status for people. `asks`: somebody is needed, so the word is coloured too. */
export interface JobWord extends StatusWord {
  readonly asks: boolean
}

/** A job's status (look, Status vocabulary): questions come before what is merely so. */
export function jobWord(job: Pick<Job, "state" | "attention" | "counts" | "pause" | "hold">): JobWord {
  switch (job.state) {
    case "draft":
      return quiet({ icon: IconCircleDashed, tone: "grey", word: "Draft" })
    case "running":
      if (isOnHold(job)) return { icon: IconPlayerPause, tone: "warning", word: "On hold", asks: true }
      return quiet({ icon: IconPlayerPlay, tone: "info", word: "Running" })
    case "paused":
      return { icon: IconPlayerPause, tone: "warning", word: "Paused", asks: true }
    case "cancelling":
      return quiet({ icon: IconBan, tone: "grey", word: "Cancelling" })
    case "cancelled":
      if (job.attention > 0) return decision
      return quiet({ icon: IconBan, tone: "grey", word: "Cancelled" })
    default:
      if (job.attention > 0) return decision
      if (job.counts.failed > 0) {
        const word = `Done, ${formatCount(job.counts.failed)} failed`
        return quiet({ icon: IconAlertTriangle, tone: "warning", word })
      }
      return quiet({ icon: IconCircleCheck, tone: "success", word: "Done" })
  }
}

const decision: JobWord = { icon: IconHelpCircle, tone: "warning", word: "Decision needed", asks: true }

function quiet(word: StatusWord): JobWord {
  return { ...word, asks: false }
}

/** Whether a restore holds it: nothing of it is sent before a person continues it. */
export function isOnHold({ hold }: Pick<Job, "hold">): boolean {
  return hold !== undefined && hold !== null
}

/** Rows that came to an end, of all. */
export function rowsDone({ total, counts }: Pick<Job, "total" | "counts">): number {
  return total - counts.planned - counts.sent - counts.unknown
}

/** Whether work on it is under way or waits to be. */
export function isActive({ state }: Pick<Job, "state">): boolean {
  return state === "running" || state === "paused" || state === "cancelling"
}
