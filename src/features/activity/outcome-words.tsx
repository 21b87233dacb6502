import { IconBan, IconCircleCheck, IconCircleX, IconHelpCircle } from "@tabler/icons-react"
import type { AuditEntry } from "../../../contract/audit.ts"
import classes from "./audit.module.css"

/** How an outcome is shown: an icon and a word, never colour alone. */
const looks = {
  done: { icon: IconCircleCheck, word: "Done", tone: "success" },
  refused: { icon: IconBan, word: "Refused", tone: "grey" },
  failed: { icon: IconCircleX, word: "Failed", tone: "danger" },
  unknown: { icon: IconHelpCircle, word: "Unknown", tone: "warning" },
} as const

/** How an audited act ended. */
export function OutcomeWord({ outcome }: { outcome: AuditEntry["outcome"] }) {
  const { icon: Icon, word, tone } = looks[outcome]
  return (
    <span className={classes.outcome} data-tone={tone}>
      <Icon size={15} stroke={2} aria-hidden />
      {word}
    </span>
  )
}
