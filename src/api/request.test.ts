import { afterEach, beforeEach, describe, expect, it, test, vi } from "vitest"
import * as z from "zod/mini"
import { useRequestBudget } from "../lib/request-budget.ts"
import {
  abandonSession,
  apiPath,
  fetchAwaited,
  makeQueryClient,
  notBefore,
  queryText,
  type ReadOptions,
  request,
  responseQuery,
  resumeSession,
  useSessionStatus,
} from "./request.ts"
import { ApiError, Offline, UnreadableResponse } from "../lib/errors.ts"

const schema = z.object({ id: z.string() })
const path = apiPath("program", "members", "mem_1")
const now = new Date("2026-11-21T10:00:00Z")

/** Responses of the server, in order. */
function answers(...turns: (() => Response)[]) {
  const fetched = vi.fn<(path: string, init: RequestInit) => Promise<Response>>(() => {
    const turn = turns.shift()
    if (turn === undefined) throw new Error("One request too many.")
    return Promise.resolve(turn())
  })
  vi.stubGlobal("fetch", fetched)
  return fetched
}

const good =
  (headers: HeadersInit = {}) =>
  () =>
    Response.json({ success: true, data: { id: "mem_1" } }, { headers })
const bad =
  (status: number, code: string, headers: HeadersInit = {}) =>
  () =>
    Response.json({ success: false, error: { code, message: "No.", requestId: "r-1" } }, { status, headers })

beforeEach(() => {
  vi.useFakeTimers({ now })
})

afterEach(() => {
  abandonSession(new Error("The test is over."))
  vi.useRealTimers()
})

describe("a response", () => {
  it("carries its age and the time of the service's response", async () => {
    answers(good({ Age: "12", "X-Laurel-Stale": "1" }))
    const { data, age, at, stale } = await request({ path, schema })
    expect({ data, age, at, stale }).toEqual({
      data: { id: "mem_1" },
      age: 12,
      at: now.getTime() - 12_000,
      stale: true,
    })
  })

  it("without a body is undefined to its schema", async () => {
    answers(() => new Response(null, { status: 204 }))
    await expect(request({ method: "DELETE", path, schema: z.undefined() })).resolves.toMatchObject({
      age: 0,
    })
  })

  it.each([
    ["a web page", () => new Response("<html>", { status: 200 })],
    ["cut short", () => new Response('{"success":true,"da')],
    ["of another shape", () => Response.json({ success: true, data: { id: 7 } })],
    ["without data", () => Response.json([1])],
    ["an error nobody agreed on", () => Response.json({ oops: true }, { status: 500 })],
    ["a gateway's page", () => new Response("<h1>502</h1>", { status: 502 })],
  ])("that is %s cannot be read", async (_what, turn) => {
    answers(turn)
    await expect(request({ path, schema })).rejects.toBeInstanceOf(UnreadableResponse)
  })

  it("that is a proxy's error page is read again by a query, a refusal is not", async () => {
    const read = async () => {
      const query = responseQuery(["member"], { path: ["members"], schema })
      const outcome = makeQueryClient()
        .fetchQuery(query)
        .catch((error: unknown) => error)
      await vi.advanceTimersByTimeAsync(5000)
      return outcome
    }
    const page = () => new Response("<h1>502</h1>", { status: 502 })
    answers(page, page, good())
    expect(await read()).toMatchObject({ data: { id: "mem_1" } })
    answers(page, page, page)
    expect(await read()).toBeInstanceOf(UnreadableResponse)
    answers(bad(409, "conflict"))
    expect(await read()).toBeInstanceOf(ApiError)
  })

  it("that never arrives counts as offline", async () => {
    vi.stubGlobal("fetch", () => Promise.reject(new TypeError("Failed to fetch")))
    await expect(request({ path, schema })).rejects.toBeInstanceOf(Offline)
  })

  it("that is no longer needed rejects with the reason of the abort", async () => {
    const signal = AbortSignal.abort(new DOMException("left", "AbortError"))
    vi.stubGlobal("fetch", () => Promise.reject(new TypeError("aborted")))
    await expect(request({ path, schema, signal })).rejects.toMatchObject({ name: "AbortError" })
  })
})

describe("a request", () => {
  it("carries the guard header and its options", async () => {
    const fetched = answers(good())
    await request({
      method: "PATCH",
      path,
      body: { a: 1 },
      schema,
      idempotencyKey: "k-1",
      ifMatch: '"v1"',
      fresh: true,
    })
    const headers = new Headers(fetched.mock.calls[0]?.[1].headers)
    expect(Object.fromEntries(headers)).toMatchObject({
      "x-laurel": "1",
      "content-type": "application/json",
      "idempotency-key": "k-1",
      "if-match": '"v1"',
      "cache-control": "no-cache",
    })
  })

  const updates = (fetched: ReturnType<typeof answers>) =>
    fetched.mock.calls.map(([, how]) => new Headers(how.headers).get("X-Laurel-Update"))

  it("is an update while its query has something to show, unless it is fresh or awaited", async () => {
    const fetched = answers(good(), good(), good(), good())
    const client = makeQueryClient()
    const query = (how: ReadOptions = {}) => responseQuery(["member"], { path: ["members"], schema, ...how })
    for (const read of [query(), query(), query({ fresh: true }), query({ update: false })])
      await client.fetchQuery({ ...read, staleTime: 0 })
    expect(updates(fetched)).toEqual([null, "1", null, null])
  })

  it("is no update of an empty list", async () => {
    const empty = () => Response.json({ success: true, data: [] })
    const fetched = answers(empty, empty)
    const client = makeQueryClient()
    const query = responseQuery(["list"], { path: ["members"], schema: z.array(schema) })
    for (const read of [query, query]) await client.fetchQuery({ ...read, staleTime: 0 })
    expect(updates(fetched)).toEqual([null, null])
  })

  it("that is awaited ends an update that is under way", async () => {
    const client = makeQueryClient()
    const query = (how: ReadOptions = {}) => responseQuery(["member"], { path: ["members"], schema, ...how })
    client.setQueryData(query().queryKey, { data: { id: "mem_1" }, age: 0, at: 0, stale: false })
    const signals: (AbortSignal | null | undefined)[] = []
    vi.stubGlobal("fetch", (_: string, { signal }: RequestInit) => {
      signals.push(signal)
      return new Promise(() => undefined)
    })
    void client.prefetchQuery({ ...query(), staleTime: 0 })
    await vi.advanceTimersByTimeAsync(1)
    const fetched = answers(good())
    await fetchAwaited(client, { ...query({ update: false }), staleTime: 0 })
    expect(signals.map((signal) => signal?.aborted)).toEqual([true])
    expect(updates(fetched)).toEqual([null])
  })

  it("never leaves its path, whatever the id holds", () => {
    expect(apiPath("program", "members", "a/b?c#d%e")).toBe("/api/program/members/a%2Fb%3Fc%23d%25e")
    for (const id of ["..", ".", "%2e%2E", ""])
      expect(() => apiPath("program", "members", id)).toThrow(ApiError)
  })

  it("leaves empty parameters out", () => {
    expect(queryText({ page: 2, search: "", tier: undefined, status: "active" })).toBe(
      "?page=2&status=active",
    )
    expect(queryText(undefined)).toBe("")
  })
})

describe("a spent budget", () => {
  it("is waited for with a countdown, then the same request is sent again", async () => {
    const fetched = answers(bad(503, "budget_spent", { "Retry-After": "4" }), good())
    const answer = request({ path, schema })
    await vi.advanceTimersByTimeAsync(3_900)
    expect(useRequestBudget.getState().nextRequestAt).toBe(now.getTime() + 4_000)
    expect(fetched).toHaveBeenCalledTimes(1)
    await vi.advanceTimersByTimeAsync(200)
    await expect(answer).resolves.toMatchObject({ data: { id: "mem_1" } })
    expect(useRequestBudget.getState().nextRequestAt).toBeNull()
  })

  it("is not waited for after an abort", async () => {
    answers(bad(503, "budget_spent", { "Retry-After": "4" }))
    const leaving = new AbortController()
    const answer = request({ path, schema, signal: leaving.signal })
    const outcome = answer.catch((error: unknown) => error)
    await vi.advanceTimersByTimeAsync(100)
    leaving.abort()
    expect(await outcome).toMatchObject({ name: "AbortError" })
    expect(useRequestBudget.getState().nextRequestAt).toBeNull()
  })

  it("fails a write after a minute, so that it is not sent unexpectedly later", async () => {
    const spent = bad(503, "budget_spent", { "Retry-After": "20" })
    const fetched = answers(spent, spent, spent, spent)
    const outcome = request({ method: "PATCH", path, body: {}, schema }).catch((error: unknown) => error)
    await vi.advanceTimersByTimeAsync(120_000)
    expect(await outcome).toMatchObject({ code: "budget_spent", retryAfter: 20 })
    expect(fetched).toHaveBeenCalledTimes(4)
  })
})

describe("Laurel’s database", () => {
  const away = bad(503, "store_unavailable", { "Retry-After": "1" })

  it.each([
    ["a read", {}],
    ["a write with a key", { method: "POST", body: {}, idempotencyKey: "key" }],
  ] as const)("is waited for by %s while it restarts", async (_, how) => {
    const fetched = answers(away, away, good())
    const answer = request({ path, schema, ...how })
    await vi.advanceTimersByTimeAsync(2_100)
    await expect(answer).resolves.toMatchObject({ data: { id: "mem_1" } })
    expect(fetched).toHaveBeenCalledTimes(3)
  })

  it.each([
    ["a write without a key, which may be done", away, { method: "PUT", body: {} }, 1],
    ["what the server does not ask to repeat", bad(503, "store_unavailable"), {}, 1],
    ["more than ten seconds", away, {}, 11],
  ] as const)("is not waited for: %s", async (_, answer, how, times) => {
    const fetched = answers(...Array.from({ length: 20 }, () => answer))
    const outcome = request({ path, schema, ...how }).catch((error: unknown) => error)
    await vi.advanceTimersByTimeAsync(60_000)
    expect(await outcome).toMatchObject({ code: "store_unavailable" })
    expect(fetched).toHaveBeenCalledTimes(times)
  })
})

describe("a session that ended", () => {
  it("delays the request until the user has signed in again, then sends it again", async () => {
    const fetched = answers(bad(401, "session_required"), good())
    const answer = request({ method: "PATCH", path, body: { company: "Typed" }, schema })
    await vi.advanceTimersByTimeAsync(0)
    expect(useSessionStatus.getState().hasEnded).toBe(true)
    resumeSession()
    await expect(answer).resolves.toMatchObject({ data: { id: "mem_1" } })
    expect(fetched.mock.calls[1]?.[1].body).toBe('{"company":"Typed"}')
    expect(useSessionStatus.getState().hasEnded).toBe(false)
  })

  it("sends no further request and repeats reads whose response arrived after it", async () => {
    const late = Promise.withResolvers<Response>()
    const fetched = vi
      .fn<typeof fetch>()
      .mockReturnValueOnce(late.promise)
      .mockImplementation(async () => good()())
    vi.stubGlobal("fetch", fetched)
    const early = request({ path, schema })
    useSessionStatus.setState({ hasEnded: true })
    const later = request({ method: "POST", path, body: {}, schema })
    late.resolve(Response.json({ success: true, data: { id: "read as somebody else" } }))
    await vi.advanceTimersByTimeAsync(0)
    expect(fetched).toHaveBeenCalledTimes(1)
    resumeSession()
    await expect(Promise.all([early, later])).resolves.toMatchObject([
      { data: { id: "mem_1" } },
      { data: { id: "mem_1" } },
    ])
    expect(fetched).toHaveBeenCalledTimes(3)
  })

  it("fails waiting requests when the user leaves instead", async () => {
    answers(bad(401, "session_required"))
    const outcome = request({ path, schema }).catch((error: unknown) => error)
    await vi.advanceTimersByTimeAsync(0)
    abandonSession(new Error("left"))
    expect(await outcome).toMatchObject({ message: "left" })
  })

  it("is thrown to a caller that opted in, and wrong credentials are always thrown", async () => {
    answers(bad(401, "session_required"), bad(401, "wrong_credentials"))
    await expect(request({ path, schema, onSessionEnd: "throw" })).rejects.toBeInstanceOf(ApiError)
    await expect(request({ path, schema })).rejects.toMatchObject({ code: "wrong_credentials" })
    expect(useSessionStatus.getState().hasEnded).toBe(false)
  })
})

describe("waiting", () => {
  beforeEach(() => {
    vi.useFakeTimers({ now: 10_000 })
  })
  afterEach(() => {
    vi.useRealTimers()
  })

  test("returns immediately for a past moment", async () => {
    await notBefore(9000, new AbortController().signal)
    expect(vi.getTimerCount()).toBe(0)
  })

  test("waits for a future moment to the millisecond", async () => {
    let over = false
    const waiting = notBefore(13_000, new AbortController().signal).then(() => (over = true))
    await vi.advanceTimersByTimeAsync(2999)
    expect(over).toBe(false)
    await vi.advanceTimersByTimeAsync(1)
    await waiting
    expect(over).toBe(true)
  })

  test("an abort ends the wait and its timer", async () => {
    const asking = new AbortController()
    const waiting = notBefore(13_000, asking.signal)
    const reason = new Error("gone")
    asking.abort(reason)
    await expect(waiting).rejects.toBe(reason)
    expect(vi.getTimerCount()).toBe(0)
  })
})
