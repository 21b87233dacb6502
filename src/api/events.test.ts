import { QueryClient, type QueryKey, QueryObserver } from "@tanstack/react-query"
import { afterEach, beforeEach, describe, expect, it, onTestFinished, vi } from "vitest"
import { heartbeat } from "../../contract/events.ts"
import {
  useLiveUpdates,
  followEvents,
  pollEvery,
  registerEventHandler,
  registerTopic,
  whileLive,
} from "./events.ts"
import { jobQuery, jobsQuery } from "./jobs.ts"
import { memberQuery } from "./members.ts"
import { balanceQuery } from "./points.ts"
import { tabId } from "./request.ts"

/** The test's own timeout, so that a busy machine does not fail it. */
const patient = { timeout: 80_000 }

/** The streams that were opened, newest last. */
let streams: FakeStream[] = []

class FakeStream extends EventTarget {
  static readonly CLOSED = 2
  readyState = 0
  readonly path: string

  constructor(path: string) {
    super()
    this.path = path
    streams.push(this)
  }
  /** The headers of the response arrived, without a body. */
  openSilently() {
    this.readyState = 1
    this.dispatchEvent(new Event("open"))
  }
  open() {
    this.openSilently()
    this.say(heartbeat.data)
  }
  say(data: string) {
    this.dispatchEvent(new MessageEvent("message", { data }))
  }
  lose() {
    this.readyState = 0
    this.dispatchEvent(new Event("error"))
  }
  refuse() {
    this.readyState = FakeStream.CLOSED
    this.dispatchEvent(new Event("error"))
  }
  close() {
    this.readyState = FakeStream.CLOSED
  }
}

registerTopic("member", (id) => ["member", id])
registerTopic("members", ["members"])
registerTopic("job", (id) => ["job", id])

const summary = { active: 0, attention: 0, restore: null }

let queryClient: QueryClient
let stop: () => void
const stale = (key: string[]) => queryClient.getQueryState(key)?.isInvalidated

beforeEach(async () => {
  streams = []
  vi.stubGlobal("EventSource", FakeStream)
  queryClient = new QueryClient()
  for (const key of [
    ["member", "mem_1"],
    ["member", "mem_2"],
    ["members", "list"],
    ["job", "J-1"],
    ["session"],
  ]) {
    queryClient.setQueryData(key, "read")
  }
  stop = followEvents(queryClient)
  await vi.waitUntil(() => streams.length === 1, patient)
})

afterEach(() => {
  stop()
  vi.useRealTimers()
  vi.restoreAllMocks()
  vi.unstubAllGlobals()
})

/** Restarts following events, without other tabs, on fake timers. */
function restartWithFakeTimers() {
  stop()
  streams = []
  vi.useFakeTimers()
  vi.stubGlobal("navigator", { onLine: true })
  stop = followEvents(queryClient)
}

/** Shows a job; returns the number of reads. */
function observeJob(queryKey: QueryKey, state: string) {
  let reads = 0
  const queryFn = () => ({ state, reads: (reads += 1) })
  onTestFinished(new QueryObserver(queryClient, { queryKey, queryFn }).subscribe(() => {}))
  return () => reads
}

describe("an event", () => {
  it("invalidates exactly the queries registered for its topic", () => {
    streams[0]?.say('{"topic":"member","id":"mem_1"}')
    expect(stale(["member", "mem_1"])).toBe(true)
    expect(stale(["member", "mem_2"])).toBe(false)
    expect(stale(["members", "list"])).toBe(false)
  })

  it("about one or several members invalidates exactly their records and points", () => {
    const keysOf = (id: string): QueryKey[] => [memberQuery(id).queryKey, balanceQuery(id).queryKey]
    const keys = [...keysOf("mem_1"), ...keysOf("mem_2")]
    for (const key of keys) queryClient.setQueryData(key, "read")
    const old = () => keys.map((key) => queryClient.getQueryState(key)?.isInvalidated)
    streams[0]?.say('{"topic":"members","id":"mem_1"}')
    expect(old()).toEqual([true, true, false, false])
    streams[0]?.say('{"topic":"members","id":"all"}')
    expect(old()).toEqual([true, true, true, true])
  })

  it("during a first read causes a second read", async () => {
    const reads = [Promise.withResolvers<string>(), Promise.withResolvers<string>()] as const
    let begun = 0
    const queryFn = () => (reads[begun++] ?? Promise.withResolvers<string>()).promise
    const observer = new QueryObserver(queryClient, { queryKey: ["member", "new"], queryFn })
    const leave = observer.subscribe(() => {})
    for (let events = 0; events < 3; events += 1) streams[0]?.say('{"topic":"member","id":"new"}')
    expect(begun).toBe(1)
    reads[0].resolve("before")
    await vi.waitUntil(() => begun === 2, patient)
    reads[1].resolve("after")
    await vi.waitUntil(() => observer.getCurrentResult().data === "after", patient)
    expect([begun, stale(["member", "new"])]).toEqual([2, false])
    leave()
  })

  it("of this tab's own change invalidates nothing", () => {
    streams[0]?.say(JSON.stringify({ topic: "member", id: "mem_1", by: tabId() }))
    expect(stale(["member", "mem_1"])).toBe(false)
  })

  it("invalidates nothing if a handler applies its data", () => {
    registerEventHandler(
      "note",
      (client, { id }) => id === "taken" && client.setQueryData(["notes"], id) === id,
    )
    registerTopic("note", ["member"])
    streams[0]?.say('{"topic":"note","id":"taken"}')
    expect(queryClient.getQueryData(["notes"])).toBe("taken")
    expect(stale(["member", "mem_1"])).toBe(false)
    streams[0]?.say('{"topic":"note","id":"other"}')
    expect(stale(["member", "mem_1"])).toBe(true)
  })

  it.each(["", "not json", '{"topic":"unheard-of","id":"1"}', "[]"])("%j invalidates nothing", (data) => {
    streams[0]?.say(data)
    expect(stale(["members", "list"])).toBe(false)
  })
})

describe("the stream", () => {
  it("refetches nothing when it first opens and every active query when it reopens", () => {
    streams[0]?.open()
    expect(stale(["members", "list"])).toBe(false)
    expect(stale(["job", "J-1"])).toBe(false)
    streams[0]?.lose()
    streams[0]?.open()
    expect(stale(["members", "list"])).toBe(true)
  })

  it("starts with the time since the last job change: only jobs read before it are read again", () => {
    vi.spyOn(performance, "now").mockReturnValue(2000)
    const { queryKey } = jobsQuery({})
    queryClient.setQueryData(queryKey, { rows: [], more: false, at: 1 })
    const begin = (unchanged_ms: number) =>
      streams[0]?.say(JSON.stringify({ topic: "job", id: "", jobs: summary, unchanged_ms }))
    begin(2000)
    expect(queryClient.getQueryState(queryKey)?.isInvalidated).toBe(false)
    begin(1999)
    expect(queryClient.getQueryState(queryKey)?.isInvalidated).toBe(true)
    expect(stale(["job", "J-1"])).toBe(true)
  })

  it("is reported to a tab that opens later", async () => {
    const { queryKey } = jobsQuery({})
    streams[0]?.open()
    streams[0]?.say('{"topic":"job","id":"J-1"}')
    const second = new QueryClient()
    second.setQueryData(queryKey, { rows: [], more: false, at: 1 })
    const stopSecond = followEvents(second)
    await vi.waitFor(() => expect(second.getQueryState(queryKey)?.isInvalidated).toBe(true), patient)
    stopSecond()
  })

  it("reads the session when it breaks, because the server ends it with the session", () => {
    streams[0]?.open()
    expect(stale(["session"])).toBe(false)
    streams[0]?.lose()
    expect(stale(["session"])).toBe(true)
    expect(stale(["members", "list"])).toBe(false)
  })

  it("sets isLive: data stay fresh while events arrive and are polled otherwise", () => {
    expect(whileLive(2000)()).toBe(2000)
    streams[0]?.open()
    expect(whileLive(2000)()).toBe(Infinity)
    streams[0]?.lose()
    expect(useLiveUpdates.getState().isLive).toBe(false)
  })

  it("reopens after a refusal with growing delays", async () => {
    restartWithFakeTimers()
    streams[0]?.refuse()
    await vi.advanceTimersByTimeAsync(1_000)
    expect(streams).toHaveLength(2)
    streams[1]?.refuse()
    await vi.advanceTimersByTimeAsync(1_000)
    expect(streams).toHaveLength(2)
    await vi.advanceTimersByTimeAsync(1_000)
    expect(streams).toHaveLength(3)
  })

  it("without a body is not live: after 10 s the page shows it, polls jobs and opens another", async () => {
    restartWithFakeTimers()
    const { queryKey } = jobQuery("J-2")
    const reads = observeJob(queryKey, "running")
    streams[0]?.openSilently()
    expect(useLiveUpdates.getState().isLive).toBe(false)
    await vi.advanceTimersByTimeAsync(heartbeat.silenceMs - 1)
    expect([streams.length, useLiveUpdates.getState().isDelayed]).toEqual([1, false])
    await vi.advanceTimersByTimeAsync(1001)
    expect([streams.length, useLiveUpdates.getState().isDelayed]).toEqual([2, true])
    expect(reads()).toBeGreaterThan(2)
    streams[1]?.open()
    expect([useLiveUpdates.getState().isLive, useLiveUpdates.getState().isDelayed]).toEqual([true, false])
    const before = reads()
    for (let beats = 0; beats < 5; beats += 1) {
      await vi.advanceTimersByTimeAsync(heartbeat.everyMs)
      streams[1]?.say(heartbeat.data)
    }
    expect([streams.length, useLiveUpdates.getState().isDelayed, reads()]).toEqual([2, false, before])
  })

  it("counts as broken after 10 s of silence, in every tab", async () => {
    restartWithFakeTimers()
    streams[0]?.open()
    expect(useLiveUpdates.getState().isLive).toBe(true)
    await vi.advanceTimersByTimeAsync(heartbeat.silenceMs)
    expect([
      useLiveUpdates.getState().isLive,
      useLiveUpdates.getState().isDelayed,
      streams[0]?.readyState,
    ]).toEqual([false, true, FakeStream.CLOSED])
  })

  it("does not poll a finished job", async () => {
    restartWithFakeTimers()
    const reads = observeJob(jobQuery("J-3").queryKey, "done")
    await vi.advanceTimersByTimeAsync(pollEvery * 5)
    expect(reads()).toBe(1)
  })

  it("is shared by all tabs and moves to another tab when its tab closes", async () => {
    const second = new QueryClient()
    second.setQueryData(["members", "list"], "read")
    const stopSecond = followEvents(second)
    streams[0]?.say('{"topic":"members","id":""}')
    await vi.waitFor(
      () => expect(second.getQueryState(["members", "list"])?.isInvalidated).toBe(true),
      patient,
    )
    expect(streams).toHaveLength(1)
    second.setQueryData(["members", "list"], "read again")
    stop()
    await vi.waitFor(() => expect(streams).toHaveLength(2), patient)
    // No tab received the events in between.
    streams[1]?.open()
    expect(second.getQueryState(["members", "list"])?.isInvalidated).toBe(true)
    stopSecond()
  })
})
