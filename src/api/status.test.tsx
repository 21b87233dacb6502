import { QueryClient, QueryObserver } from "@tanstack/react-query"
import { afterEach, beforeEach, expect, it, vi } from "vitest"
import * as z from "zod/mini"
import { budgetHeader, readBudget, writeBudget } from "../../contract/response.ts"
import { session } from "../../contract/session.ts"
import { sessionOf } from "../../tests/support/test-app.tsx"
import { useLiveUpdates } from "./events.ts"
import { apiPath, request } from "./request.ts"
import { budgetQuery, cacheShell, jobSummaryQuery } from "./shell.ts"

const state = { api: "program", limit: 60, left: 48, left_for_jobs: 38, next_in_ms: 0, waiting: 0 } as const

const sessionWith = (shell: unknown) => session.parse({ ...sessionOf("viewer"), shell })

let requests = 0
beforeEach(() => {
  requests = 0
  vi.useFakeTimers()
  vi.stubGlobal("fetch", async () => {
    requests += 1
    return Response.json({ success: true, data: [state] })
  })
})
afterEach(() => {
  useLiveUpdates.setState({ isLive: false })
  vi.useRealTimers()
})

it("the budget is polled only while no events arrive", async () => {
  const observer = new QueryObserver(new QueryClient(), budgetQuery)
  let answered = Promise.withResolvers<void>()
  const stop = observer.subscribe(({ isFetching }) => {
    if (!isFetching) answered.resolve()
  })
  for (const times of [1, 2, 3]) {
    await answered.promise
    expect(requests).toBe(times)
    answered = Promise.withResolvers()
    if (times < 3) await vi.advanceTimersByTimeAsync(4000)
  }
  useLiveUpdates.setState({ isLive: true })
  observer.setOptions(budgetQuery)
  await vi.advanceTimersByTimeAsync(60_000)
  expect(requests).toBe(3)
  stop()
})

it("the budget is taken from the latest response and not requested while responses arrive", async () => {
  const client = new QueryClient()
  cacheShell(client, sessionWith({ budget: [state] }))
  const stop = new QueryObserver(client, budgetQuery).subscribe(() => {})
  vi.stubGlobal("fetch", async () => {
    requests += 1
    const headers = { [budgetHeader]: writeBudget([{ ...state, left: 48 - requests }]) }
    return Response.json({ success: true, data: {} }, { headers })
  })
  for (const left of [47, 46, 45]) {
    await vi.advanceTimersByTimeAsync(3000)
    await request({ path: apiPath("program", "members"), schema: z.unknown() })
    expect(client.getQueryData(budgetQuery.queryKey)).toEqual([{ ...state, left }])
  }
  expect(requests).toBe(3)
  stop()
})

it.each(["program;60;48;38;0", "members;60;48;38;0;0", "", "program;60;48;38;0;soon"])(
  "a budget header of another version is none: %s",
  (header) => expect(readBudget(header)).toBeUndefined(),
)

it("the shell starts with the parts of the session that can be read", async () => {
  const client = new QueryClient()
  const jobs = { active: 1, attention: 0, restore: null }
  cacheShell(client, sessionWith({ budget: [state], jobs }))
  expect(client.getQueryData(budgetQuery.queryKey)).toEqual([state])
  expect(client.getQueryData(jobSummaryQuery.queryKey)).toEqual(jobs)
  cacheShell(new QueryClient(), sessionWith({ budget: "none" }))
})
