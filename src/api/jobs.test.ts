import { QueryClient, QueryObserver } from "@tanstack/react-query"
import { expect, it, vi } from "vitest"
import { jobView, rowView } from "../../tests/support/job-views.ts"
import { jobQuery, jobsQuery, jobRowsQuery, cacheJob, cacheJobProgress } from "./jobs.ts"

const list = jobsQuery({}).queryKey
const rows = jobRowsQuery("J-1", { page: 1, per_page: 25 }).queryKey

function clientWith(job: ReturnType<typeof jobView>): QueryClient {
  const client = new QueryClient()
  client.setQueryData(list, { rows: [job], more: false, at: 1 })
  client.setQueryData(rows, { rows: [], total: 0 })
  return client
}

it("job progress updates its page and the lists, and invalidates its rows but not the lists", () => {
  const client = clientWith(jobView({ counts: { planned: 2 } }))
  const now = jobView({ counts: { planned: 1, confirmed: 1 } })
  cacheJob(client, now)
  expect(client.getQueryData(jobQuery("J-1").queryKey)).toEqual(now)
  expect(client.getQueryData(list)?.rows).toEqual([now])
  expect(client.getQueryState(list)?.isInvalidated).toBe(false)
  expect(client.getQueryState(rows)?.isInvalidated).toBe(true)
})

it("a job whose list fields change invalidates the lists", () => {
  const client = clientWith(jobView())
  cacheJob(client, jobView({ state: "paused" }))
  expect(client.getQueryState(list)?.isInvalidated).toBe(true)
})

it("a response does not overwrite the end of a job that an event reported before", () => {
  const client = clientWith(jobView())
  const over = jobView({ state: "done", finished_at: "2026-11-21T00:01:00Z" })
  cacheJob(client, over)
  cacheJob(client, jobView())
  expect(client.getQueryData(jobQuery("J-1").queryKey)).toEqual(over)
  expect(client.getQueryState(jobQuery("J-1").queryKey)?.isInvalidated).toBe(true)
})

it("an older read of a row does not overwrite an event", async () => {
  const client = new QueryClient()
  const query = jobRowsQuery("J-1", { page: 1, per_page: 1 })
  const first = Promise.withResolvers<ReturnType<typeof rowsOf>>()
  const read = vi
    .fn<() => Promise<ReturnType<typeof rowsOf>>>()
    .mockReturnValueOnce(first.promise)
    .mockResolvedValue(rowsOf("confirmed"))
  const stop = new QueryObserver(client, { ...query, queryFn: read }).subscribe(() => undefined)
  cacheJobProgress(client, jobView({ state: "done", total: 1 }), [rowView({ state: "confirmed" })])
  first.resolve(rowsOf("planned"))
  await expect.poll(() => client.isFetching()).toBe(0)
  expect(client.getQueryData(query.queryKey)?.rows[0]?.state).toBe("confirmed")
  stop()
})

const rowsOf = (state: "planned" | "confirmed") => ({ rows: [rowView({ state })], total: 1 })
