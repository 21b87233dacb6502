import { IconGauge } from "@tabler/icons-react"
import { useQuery } from "@tanstack/react-query"
import type { Api } from "../../../contract/status.ts"
import { budgetQuery } from "../../api/status.ts"
import { formatCount } from "../../lib/format.ts"
import classes from "./budget-line.module.css"

/** What is left of a service's requests, which everybody shares, and what that means for a job that needs so many. */
export function BudgetLine({ requests, api = "program" }: { requests: number; api?: Api }) {
  const { data } = useQuery(budgetQuery)
  const budget = data?.find((each) => each.api === api)
  if (budget === undefined) return null
  const left = `${formatCount(budget.left)} of ${formatCount(budget.limit)} left`
  return (
    <div className={classes.line}>
      <IconGauge size={16} stroke={1.75} aria-hidden />
      <span className="l-num">
        {requests <= budget.left_for_jobs
          ? `${left}: starts right away`
          : `${left}: runs in the background; your work comes first`}
      </span>
    </div>
  )
}
