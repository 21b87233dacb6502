import { QueryClient } from "@tanstack/react-query"
import { expect, it } from "vitest"
import { jobView } from "../../tests/support/job-views.ts"
import { jobQuery, jobsQuery, jobRowsQuery, takeJob } from "./jobs.ts"

const list = jobsQuery({}).queryKey
const rows = jobRowsQuery("J-1", { page: 1, per_page: 25 }).queryKey

function clientWith(job: ReturnType<typeof jobView>): QueryClient {
  const client = new QueryClient()
  client.setQueryData(list, { rows: [job], more: false, at: 1 })
  client.setQueryData(rows, { rows: [], total: 0 })
  return client
}

it("a step of a job shows on its page and in lists, and has its rows read again, not the lists", () => {
  const client = clientWith(jobView({ counts: { planned: 2 } }))
  const now = jobView({ counts: { planned: 1, confirmed: 1 } })
  takeJob(client, now)
  expect(client.getQueryData(jobQuery("J-1").queryKey)).toEqual(now)
  expect(client.getQueryData(list)?.rows).toEqual([now])
  expect(client.getQueryState(list)?.isInvalidated).toBe(false)
  expect(client.getQueryState(rows)?.isInvalidated).toBe(true)
})

it("a job that is elsewhere now has the lists read again: they may gain or lose it", () => {
  const client = clientWith(jobView())
  takeJob(client, jobView({ state: "paused" }))
  expect(client.getQueryState(list)?.isInvalidated).toBe(true)
})

it("a response never takes the place of the end that an event told before it came", () => {
  const client = clientWith(jobView())
  const over = jobView({ state: "done", finished_at: "2026-11-21T00:01:00Z" })
  takeJob(client, over)
  takeJob(client, jobView())
  expect(client.getQueryData(jobQuery("J-1").queryKey)).toEqual(over)
  expect(client.getQueryState(jobQuery("J-1").queryKey)?.isInvalidated).toBe(true)
})
