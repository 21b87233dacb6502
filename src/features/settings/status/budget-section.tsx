import type { ReactNode } from "react"
import type { Api, BudgetView } from "../../../../contract/status.ts"
import { formatCount } from "../../../lib/format.ts"
import { Segmented } from "../../../ui/segmented.tsx"
import { SectionHead } from "../section-head.tsx"
import { BudgetChart } from "./budget-chart.tsx"
import { BudgetFigures } from "./budget-figures.tsx"
import classes from "./budget-section.module.css"
import { BudgetTable } from "./budget-table.tsx"
import { serviceNames } from "./service-names.ts"
import { UsedBy } from "./used-by.tsx"

interface BudgetSectionProps {
  budgets: readonly BudgetView[]
  /** Whose budget is shown; each service has its own. */
  api: Api
  onApi: (api: Api) => void
  /** How old the figures are. */
  asOf: ReactNode
}

/** The shared request budget: the last 30 minutes, its numbers, who used it. */
export function BudgetSection({ budgets, api, onApi, asOf }: BudgetSectionProps) {
  const budget = budgets.find((each) => each.api === api) ?? budgets[0]
  if (budget === undefined) {
    return (
      <section>
        <SectionHead title="Request budget" />
        <p className="text-secondary">No service is connected, so there’s no request budget.</p>
      </section>
    )
  }
  const { limit, minutes, used_by } = budget
  return (
    <section>
      <SectionHead
        title="Request budget"
        beside={
          budgets.length > 1 && (
            <Segmented
              label="Service"
              value={budget.api}
              options={budgets.map((each) => ({ value: each.api, label: serviceNames[each.api] }))}
              onChange={onApi}
            />
          )
        }
        end={
          <>
            <Legend mark="people">People</Legend>
            <Legend mark="jobs">Jobs</Legend>
            <Legend mark="limit">{formatCount(limit)} a minute</Legend>
          </>
        }
      />
      <BudgetChart limit={limit} minutes={minutes} />
      <BudgetTable limit={limit} minutes={minutes} />
      <BudgetFigures budget={budget} asOf={asOf} />
      <UsedBy rows={used_by} />
    </section>
  )
}

function Legend({ mark, children }: { mark: "people" | "jobs" | "limit"; children: ReactNode }) {
  return (
    <span className={classes.legend}>
      <i data-mark={mark} aria-hidden />
      {children}
    </span>
  )
}
