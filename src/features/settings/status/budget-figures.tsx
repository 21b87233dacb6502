import type { ReactNode } from "react"
import type { BudgetView } from "../../../../contract/status.ts"
import { formatCount } from "../../../lib/format.ts"
import { duration } from "../../../lib/time.ts"
import { Figures } from "../../../ui/page-header.tsx"
import classes from "./budget-section.module.css"
import { used } from "./budget-scale.ts"

interface BudgetFiguresProps {
  budget: BudgetView
  /** How old the figures are. */
  asOf: ReactNode
}

/** The budget in four numbers, and what a spent one means right now. */
export function BudgetFigures({ budget, asOf }: BudgetFiguresProps) {
  const { left, waiting, longest_wait_ms, refused, minutes } = budget
  return (
    <div className={classes.figures}>
      <Figures
        items={[
          { label: "Requests left this minute", value: formatCount(left) },
          { label: `Used in ${minutes.length} min`, value: formatCount(used(minutes)) },
          { label: "Longest wait", value: longest_wait_ms === 0 ? "None" : duration(longest_wait_ms) },
          { label: "Refused by the service (429)", value: formatCount(refused) },
        ]}
        end={asOf}
      />
      {left === 0 && (
        <p className={classes.wait}>The minute is used up. {waitingWords(waiting)} Nothing is lost.</p>
      )}
    </div>
  )
}

function waitingWords(waiting: number): string {
  if (waiting === 0) return "The next request is waiting."
  return `${formatCount(waiting)} ${waiting === 1 ? "request is waiting" : "requests are waiting"}.`
}
