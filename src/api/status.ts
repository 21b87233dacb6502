import type { QueryClient } from "@tanstack/react-query"
import * as z from "zod/mini"
import { type Api, budgetState } from "../../contract/response.ts"
import { appStatus, jobSummary, keyTest, shellState, unreadNotices } from "../../contract/status.ts"
import type { Session } from "../../contract/users.ts"
import { requestLimits, requestsLimited } from "../lib/external-value.ts"
import { isLive, registerPoll, registerEventHandler, registerTopic, whileLive } from "./events.ts"
import { useWrite } from "./paging.ts"
import {
  apiPath,
  latestBudget,
  dataQuery,
  isBudgetSpent,
  request,
  requestData,
  responseQuery,
} from "./request.ts"

/** Events about the budget come with every request of the team; the status is read again this often at most, in ms. */
const gap = 3000

const key = ["status"]

/** How the services and the request budget are doing, measured on Laurel's own calls: reading it costs none. */
export const statusQuery = responseQuery(
  key,
  { path: ["status"], schema: appStatus, gap },
  { staleTime: 5000 },
)

registerTopic("status", key)

/** Tests a service's key by one read, which the shared budget pays. */
export const useTestKey = () =>
  useWrite(
    (api: Api) => requestData({ method: "POST", path: apiPath("status", api, "test"), schema: keyTest }),
    statusAfterTest,
  )

// Read here and now: a read of the query keeps its distance, and ends unread with the event about the test's own request.
async function statusAfterTest(client: QueryClient): Promise<void> {
  const read = await request({ path: apiPath("status"), schema: appStatus }).catch(() => undefined)
  await client.cancelQueries({ queryKey: key })
  if (read === undefined) return client.invalidateQueries({ queryKey: key })
  client.setQueryData(statusQuery.queryKey, read)
}

/**
 * The request budgets of both services: events and responses bring them. Without events they are read, often while some
 * of it is in use and nothing else is read, because it fills up again without anything happening.
 */
export const budgetQuery = dataQuery(
  ["budget"],
  { path: ["status", "budget"], schema: z.array(budgetState) },
  {
    staleTime: whileLive(2000),
    refetchInterval: ({ state }) => {
      if (isLive.get()) return false
      const inUse = state.data?.some(({ left, limit, waiting }) => left < limit || waiting > 0)
      return inUse === true ? 4000 : 30_000
    },
  },
)

registerEventHandler("budget", (client, { budget }) => {
  void client.invalidateQueries({ queryKey: key })
  if (budget !== undefined) {
    client.setQueryData(budgetQuery.queryKey, budget)
    requestsLimited.set(isBudgetSpent(budget))
  }
  return budget !== undefined
})
registerTopic("budget", budgetQuery.queryKey)

/** What the top bar and the navigation say about the jobs this person sees: it comes with the session and events. */
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

/** A read of the notices. Jobs that ask for somebody tell of every step. */
export function noticesPart<T>(path: readonly string[], schema: z.ZodMiniType<T>) {
  return dataQuery(
    [...noticesKey, ...path],
    { path: ["notices", ...path], schema, gap },
    {
      staleTime: 60_000,
      // No event says that a key was refused or that a stock ran low.
      refetchInterval: 5 * 60_000,
      refetchIntervalInBackground: true,
    },
  )
}

/** How many notices the person has not read. No upstream request. */
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
 * Begins with what the session brought for the frame of every page, and goes on with what responses tell: nothing of it
 * is asked for then.
 */
export function cacheShell(client: QueryClient, session: Session): void {
  if (!follows.has(client)) {
    follows.add(client)
    latestBudget.subscribe(() => client.setQueryData(budgetQuery.queryKey, latestBudget.get()))
  }
  if (client.getQueryData(budgetQuery.queryKey) ?? client.getQueryData(jobSummaryQuery.queryKey)) return
  const { budget, jobs } = shellState.safeParse(session.shell).data ?? {}
  if (budget !== undefined) {
    client.setQueryData(budgetQuery.queryKey, budget)
    const limits = budget.map(({ api, limit }) => [api, limit])
    requestLimits.set({ ...requestLimits.get(), ...Object.fromEntries(limits) })
  }
  if (jobs !== undefined) client.setQueryData(jobSummaryQuery.queryKey, jobs)
}
