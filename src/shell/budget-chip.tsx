import { UnstyledButton } from "@mantine/core"
import { useQuery } from "@tanstack/react-query"
import { IconCloudOff } from "@tabler/icons-react"
import { lazy, Suspense } from "react"
import type { BudgetView } from "../../contract/status.ts"
import { nextRequestAt } from "../api/request.ts"
import { budgetQuery } from "../api/status.ts"
import { Offline } from "../lib/errors.ts"
import { formatCount } from "../lib/format.ts"
import { useExternalValue, useNow } from "../ui/hooks.ts"
import classes from "./budget-chip.module.css"
import { budgetState, type BudgetState } from "./budget-state.ts"
import { Popover } from "../ui/popover.tsx"

const BudgetPanel = lazy(async () => ({ default: (await import("./budget-panel.tsx")).BudgetPanel }))

/** What is left of the requests the whole team shares; opens the last 30 minutes. */
export function BudgetChip() {
  const { data, error, dataUpdatedAt } = useQuery(budgetQuery)
  const waitsUntil = useExternalValue(nextRequestAt)
  const now = useNow("second")
  const program = data?.find(({ api }) => api === "program")
  const offline = error instanceof Offline
  const state = budgetState({ budget: program, readAt: dataUpdatedAt, waitsUntil, offline, now })
  if (state.kind === "unknown") return null

  return (
    <Popover
      label="Request budget"
      align="end"
      width={336}
      renderButton={(props) => (
        <UnstyledButton {...props} className={classes.chip} data-state={state.kind}>
          <Face state={state} budget={program} />
        </UnstyledButton>
      )}
    >
      {() => (
        <Suspense fallback="Reading">
          <BudgetPanel budgets={data ?? []} />
        </Suspense>
      )}
    </Popover>
  )
}

function Face({ state, budget }: { state: BudgetState; budget: BudgetView | undefined }) {
  if (state.kind === "offline") {
    return (
      <>
        <IconCloudOff size={14} stroke={2} aria-hidden />
        Offline
      </>
    )
  }
  const limit = budget?.limit ?? 1
  const left = state.kind === "spent" ? 0 : (budget?.left ?? 0)
  return (
    <>
      <span className={classes.meter} aria-hidden>
        <span className={classes.fill} style={{ width: `${Math.round((left / limit) * 100)}%` }} />
      </span>
      {state.kind === "spent" ? (
        <span>
          <span className={classes.words}>Next request in </span>
          {state.seconds} s
        </span>
      ) : (
        <span>
          {formatCount(left)}
          <span className={classes.of}> of {formatCount(limit)} left</span>
        </span>
      )}
    </>
  )
}
