import { QueryClient, QueryObserver } from "@tanstack/react-query"
import { afterEach, beforeEach, expect, it, vi } from "vitest"
import { session } from "../../contract/users.ts"
import { sessionOf } from "../../tests/support/test-app.tsx"
import { eventsCome } from "./events.ts"
import { jobSummaryQuery } from "./jobs.ts"
import { budgetQuery, takeShell } from "./status.ts"

const state = { api: "program", limit: 60, left: 48, left_for_jobs: 38, next_in_ms: 0, waiting: 0 } as const

const sessionWith = (shell: unknown) => session.parse({ ...sessionOf("viewer"), shell })

let asked = 0
beforeEach(() => {
  asked = 0
  vi.useFakeTimers()
  vi.stubGlobal("fetch", async () => {
    asked += 1
    return Response.json({ success: true, data: [state] })
  })
})
afterEach(() => {
  eventsCome.set(false)
  vi.useRealTimers()
})

it("the budget is asked for again and again only while no events come", async () => {
  const observer = new QueryObserver(new QueryClient(), budgetQuery)
  const stop = observer.subscribe(() => {})
  await vi.advanceTimersByTimeAsync(9000)
  expect(asked).toBe(3)
  eventsCome.set(true)
  observer.setOptions(budgetQuery)
  await vi.advanceTimersByTimeAsync(60_000)
  expect(asked).toBe(3)
  stop()
})

it("what the frame of a page begins with is in the session, as far as it can be read", async () => {
  const client = new QueryClient()
  const jobs = { active: 1, attention: 0, restore: null }
  takeShell(client, sessionWith({ budget: [state], jobs }))
  expect(client.getQueryData(budgetQuery.queryKey)).toEqual([state])
  expect(client.getQueryData(jobSummaryQuery.queryKey)).toEqual(jobs)
  takeShell(new QueryClient(), sessionWith({ budget: "none" }))
})
