import { IconAlertCircle, IconAlertTriangle, IconCircleCheck } from "@tabler/icons-react"
import type { CellProblem } from "../sheet/sheet-view.ts"
import classes from "./import-grid.module.css"

interface CellMessageProps {
  problems: readonly CellProblem[]
  /** Kept by a person after a look. */
  kept: boolean
}

/** What is wrong in a cell, in words and with an icon: the gravest first, and how many more there are. */
export function CellMessage({ problems, kept }: CellMessageProps) {
  const first = problems.find(({ severity }) => severity === "problem") ?? problems[0]
  if (first === undefined) return null
  const accepted = kept && first.severity === "check"
  const Icon = accepted ? IconCircleCheck : first.severity === "problem" ? IconAlertCircle : IconAlertTriangle
  return (
    <span className={classes.message} title={problems.map(({ text }) => text).join(". ")}>
      <Icon size={14} stroke={2} aria-hidden />
      <span className={classes.words}>
        {first.text}
        {accepted && ", kept"}
        {problems.length > 1 && ` +${problems.length - 1}`}
      </span>
    </span>
  )
}
