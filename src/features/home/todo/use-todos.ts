import { useQuery } from "@tanstack/react-query"
import type { Reward } from "../../../../contract/program/reward.ts"
import { jobsQuery } from "../../../api/jobs.ts"
import { useCan } from "../../../api/session.ts"
import { useNow } from "../../../ui/hooks.ts"
import type { Home } from "../use-home.ts"
import { useKnownName } from "../use-known-name.ts"
import { jobsTodo } from "./jobs-todo.ts"
import { ordersTodo } from "./orders-todo.ts"
import { pendingTodo } from "./pending-todo.ts"
import { rewardsTodo } from "./rewards-todo.ts"
import { todoOf, type Todo } from "./todo.ts"

/** What waits for a person, of what this role sees; the most pressing first. */
export function useTodos({ parts, orders, rewards, pending }: Home): readonly Todo[] {
  const nameOf = useKnownName()
  const now = useNow("half-minute")
  const seesJobs = useCan("jobs.read")
  const decides = useCan("jobs.control")
  const ships = useCan("orders.update")
  // Our own store: no request of the shared budget.
  const jobs = useQuery({ ...jobsQuery({ state: "attention" }), enabled: seesJobs })

  // Which of the orders are sent as a code hangs on the catalogue: no number is said that would change in a moment.
  const queue: Todo = rewards.isLoading
    ? { state: "reading" }
    : todoOf(orders, "Couldn’t load the orders.", (data) =>
        ordersTodo(data, { now, ships, nameOf, types: typesOf(rewards.data?.data ?? []) }),
      )
  return [
    ...(parts.orders ? [queue] : []),
    ...(seesJobs ? [todoOf(jobs, "Couldn’t load the jobs.", (part) => jobsTodo(part, decides))] : []),
    ...(parts.rewards ? [todoOf(rewards, "Couldn’t load the rewards.", rewardsTodo)] : []),
    ...(parts.members
      ? [todoOf(pending, "Couldn’t count pending members.", (answer) => pendingTodo(answer, now))]
      : []),
  ]
}

function typesOf(rewards: readonly Reward[]): ReadonlyMap<string, string> {
  return new Map(rewards.flatMap(({ id, type }) => (type ? [[id, type] as const] : [])))
}
