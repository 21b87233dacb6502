import type { QueryClient } from "@tanstack/react-query"
import * as z from "zod/mini"
import { jobSummary, shellState, unreadNotices } from "../../contract/events.ts"
import { budgetState } from "../../contract/response.ts"
import type { Session } from "../../contract/session.ts"
import { useRequestBudget } from "../lib/request-budget.ts"
import { registerEventHandler, registerPoll, registerTopic, useLiveUpdates, whileLive } from "./events.ts"
import { dataQuery, isBudgetSpent } from "./request.ts"

/** Minimum time between reads of the notices, in ms. */
const gap = 3000

/**
 * The request budgets of both services, kept current by events and responses. Without events they are polled, more
 * often while a budget is in use, because it refills over time.
 */
export const budgetQuery = dataQuery(
  ["budget"],
  { path: ["status", "budget"], schema: z.array(budgetState) },
  {
    staleTime: whileLive(2000),
    refetchInterval: ({ state }) => {
      if (useLiveUpdates.getState().isLive) return false
      const inUse = state.data?.some(({ left, limit, waiting }) => left < limit || waiting > 0)
      return inUse === true ? 4000 : 30_000
    },
  },
)

registerEventHandler("budget", (client, { budget }) => {
  if (budget !== undefined) {
    client.setQueryData(budgetQuery.queryKey, budget)
    useRequestBudget.setState({ isLimited: isBudgetSpent(budget) })
  }
  return budget !== undefined
})
registerTopic("budget", budgetQuery.queryKey)

/** Job counts for the top bar and the navigation; initially from the session, then from events. */
export const jobSummaryQuery = dataQuery(
  ["job-summary"],
  { path: ["jobs", "summary"], schema: jobSummary },
  { staleTime: whileLive(30_000) },
)

registerPoll((client) => {
  void client.refetchQueries({ queryKey: jobSummaryQuery.queryKey, type: "active" }, { cancelRefetch: false })
})

registerEventHandler("job", (client, { id, jobs }) => {
  if (jobs !== undefined) client.setQueryData(jobSummaryQuery.queryKey, jobs)
  return id === ""
})

const noticesKey = ["notices"]

/** Query options for a part of the notices. Jobs with rows to decide send an event for every step. */
export function noticesPart<T>(path: readonly string[], schema: z.ZodMiniType<T>) {
  return dataQuery(
    [...noticesKey, ...path],
    { path: ["notices", ...path], schema, gap },
    {
      staleTime: 60_000,
      // No event reports a refused key or a low stock.
      refetchInterval: 5 * 60_000,
      refetchIntervalInBackground: true,
    },
  )
}

/** The number of unread notices. No upstream request. */
export const unreadQuery = noticesPart(["unread"], unreadNotices)

for (const topic of ["notices", "cards", "settings"] as const) registerTopic(topic, noticesKey)

const jobStep = z.object({ state: z.string(), attention: z.int() })

registerEventHandler("job", (client, event) => {
  const step = jobStep.safeParse(event.job).data
  if (step !== undefined && (step.state !== "running" || step.attention > 0))
    void client.invalidateQueries({ queryKey: noticesKey })
  return false
})

const follows = new WeakSet<QueryClient>()

/**
 * Caches the parts of the session that the shell shows and keeps them current from responses, so that none of them is
 * requested.
 */
export function cacheShell(client: QueryClient, session: Session): void {
  if (!follows.has(client)) {
    follows.add(client)
    useRequestBudget.subscribe(({ budgets }, before) => {
      if (budgets !== before.budgets) client.setQueryData(budgetQuery.queryKey, budgets)
    })
  }
  if (client.getQueryData(budgetQuery.queryKey) ?? client.getQueryData(jobSummaryQuery.queryKey)) return
  const { budget, jobs } = shellState.safeParse(session.shell).data ?? {}
  if (budget !== undefined) {
    client.setQueryData(budgetQuery.queryKey, budget)
    const limits = budget.map(({ api, limit }) => [api, limit])
    useRequestBudget.setState((state) => ({ limits: { ...state.limits, ...Object.fromEntries(limits) } }))
  }
  if (jobs !== undefined) client.setQueryData(jobSummaryQuery.queryKey, jobs)
}
