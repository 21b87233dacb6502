import { IconGauge } from "@tabler/icons-react"
import { useQuery } from "@tanstack/react-query"
import { budgetQuery } from "../../api/budget.ts"
import { formatCount } from "../../lib/format.ts"
import classes from "./budget-line.module.css"

/** What is left of the requests everybody shares, and what that means for a job that needs so many. */
export function BudgetLine({ requests }: { requests: number }) {
  const { data } = useQuery(budgetQuery)
  const program = data?.find(({ api }) => api === "program")
  if (program === undefined) return null
  const left = `${formatCount(program.left)} of ${formatCount(program.limit)} left`
  return (
    <div className={classes.line}>
      <IconGauge size={16} stroke={1.75} aria-hidden />
      <span className="l-num">
        {requests <= program.left_for_jobs
          ? `${left}: starts at once, nobody waits`
          : `${left}: takes what people do not need`}
      </span>
    </div>
  )
}
