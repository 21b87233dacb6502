import { Group, Stack } from "@mantine/core"
import { useQuery } from "@tanstack/react-query"
import type { Api } from "../../contract/response.ts"
import type { BudgetView } from "../../contract/status.ts"
import { budgetPanelQuery } from "../api/status.ts"
import { counted, formatCount } from "../lib/format.ts"
import { duration } from "../lib/time.ts"
import { DescriptionList } from "../ui/data-table.tsx"
import classes from "./top-bar.module.css"

const names: Readonly<Record<Api, string>> = { program: "Program service", giftcard: "Gift card service" }

/** The last 30 minutes of the request budget, who used it and what waits. */
export function BudgetPanel() {
  const { data: budgets } = useQuery(budgetPanelQuery)
  if (budgets === undefined) return "Reading"
  if (budgets.length === 0) return <p className="text-secondary">No service is connected.</p>
  return (
    <Stack>
      {budgets.map((budget) => (
        <OneBudget key={budget.api} budget={budget} named={budgets.length > 1} />
      ))}
    </Stack>
  )
}

function OneBudget({ budget, named }: { budget: BudgetView; named: boolean }) {
  const used = budget.minutes.reduce((sum, { people, jobs }) => sum + people + jobs, 0)
  const { limit, longest_wait_ms: wait, refused, used_by: users } = budget
  return (
    <Stack component="section" gap={12} className={classes.budget}>
      <header>
        <h2 className="small-heading">{named ? names[budget.api] : "Request budget"}</h2>
        <p className="caption">{formatCount(limit)} requests a minute for the whole team</p>
      </header>
      {used > 0 && <Minutes budget={budget} />}
      <DescriptionList
        layout="beside"
        items={[
          ["Requests left this minute", `${formatCount(budget.left)} of ${formatCount(limit)}`],
          ["Used in 30 min", formatCount(used)],
          ["In queue", waiting(budget)],
          wait > 0 && ["Longest wait", duration(wait)],
          refused > 0 && ["Refused by the service", formatCount(refused)],
        ]}
      />
      {users.length > 0 && (
        <>
          <h3>Used by</h3>
          <DescriptionList
            layout="beside"
            items={users.slice(0, 5).map(({ name, requests }) => [name, formatCount(requests)])}
          />
        </>
      )}
    </Stack>
  )
}

function waiting({ waiting: count, next_in_ms: next }: BudgetView): string {
  if (count === 0) return "Nothing"
  const requests = counted(count, "request")
  return next > 0 ? `${requests}, next in ${Math.ceil(next / 1000)} s` : requests
}

function Minutes({ budget }: { budget: BudgetView }) {
  const width = 304 / budget.minutes.length
  const scale = 56 / budget.limit
  return (
    <figure>
      <svg viewBox="0 0 304 60" display="block" width="100%" aria-hidden>
        <line x1="0" x2="304" y1="3.5" y2="3.5" className={classes.limit} />
        {budget.minutes.map(({ at, people, jobs }, index) => {
          const low = Math.min(people, budget.limit) * scale
          const high = Math.min(jobs, budget.limit - Math.min(people, budget.limit)) * scale
          const x = index * width
          return (
            <g key={at}>
              <rect x={x} y={60 - low} width={width - 2} height={low} className={classes.peopleBar} />
              <rect x={x} y={60 - low - high} width={width - 2} height={high} className={classes.jobsBar} />
            </g>
          )
        })}
      </svg>
      <Group component="figcaption" justify="space-between" mt="xs" fz="xs" className="text-muted">
        <span>{budget.minutes.length} min ago</span>
        <span>Now</span>
      </Group>
    </figure>
  )
}
