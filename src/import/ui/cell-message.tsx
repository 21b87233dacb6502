import { Button } from "@mantine/core"
import { IconAlertCircle, IconAlertTriangle, IconCircleCheck } from "@tabler/icons-react"
import type { CellFix } from "../recipes/recipe.ts"
import type { CellProblem } from "../sheet/sheet-view.ts"
import classes from "./import-grid.module.css"

interface CellMessageProps {
  problems: readonly CellProblem[]
  /** Kept by a person after a look. */
  kept: boolean
  /** Number of the row in the file. */
  row: number
  /** Whether Tab reaches the buttons: those of the row with the focus. */
  reachable: boolean
  onFix: (problem: CellProblem, fix: CellFix) => void
}

/** What is wrong in a cell, each on its own line under it, with what would be right where that is known. */
export function CellMessage({ problems, kept, row, reachable, onFix }: CellMessageProps) {
  return problems.map((problem) => {
    const { severity, text, fix } = problem
    const accepted = kept && severity === "check"
    const Icon = accepted ? IconCircleCheck : severity === "problem" ? IconAlertCircle : IconAlertTriangle
    return (
      <span key={`${severity} ${text}`} className={classes.message}>
        <Icon size={14} stroke={2} aria-hidden />
        <span>
          {text}
          {accepted && ", kept"}
          {fix !== undefined && !accepted && (
            <Button
              className={classes.fix}
              size="compact-xs"
              variant="default"
              tabIndex={reachable ? 0 : -1}
              aria-label={`${fix.label} in row ${row}`}
              onClick={() => onFix(problem, fix)}
            >
              {fix.label}
            </Button>
          )}
        </span>
      </span>
    )
  })
}
