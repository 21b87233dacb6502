import { create } from "zustand"
import type { Query, QueryClient, QueryKey } from "@tanstack/react-query"
import { appEvent, heartbeat, liveEvent, type LiveEvent } from "../../contract/events.ts"
import { apiPath, tabId } from "./request.ts"
import { sessionQuery } from "./session.ts"

type Topic = LiveEvent["topic"]
type KeyOf = QueryKey | ((id: string) => QueryKey)

const registered = new Map<Topic, KeyOf[]>()

/** Registers the queries that a topic invalidates: a key prefix, or a function of the changed record's id. */
export function registerTopic(topic: Topic, key: KeyOf): void {
  registered.set(topic, [...(registered.get(topic) ?? []), key])
}

type EventHandler = (client: QueryClient, event: LiveEvent) => boolean

const handlers = new Map<Topic, EventHandler[]>()

/** Registers a handler for data that events of a topic carry. If one returns true, nothing is invalidated. */
export function registerEventHandler(topic: Topic, handler: EventHandler): void {
  handlers.set(topic, [...(handlers.get(topic) ?? []), handler])
}

registerTopic("session", sessionQuery.queryKey)

/**
 * `isLive`: events arrive; queries that events keep current are polled while they do not. `isDelayed`: no event arrived
 * for `heartbeat.silenceMs`; the page then shows a note.
 */
export const useLiveUpdates = create(() => ({ isLive: false, isDelayed: false }))

/** Poll interval while no events arrive, in ms. */
export const pollEvery = 3000

type Poll = (client: QueryClient) => void

const polls: Poll[] = []

/** Registers a read that runs every `pollEvery` ms while no events arrive. */
export function registerPoll(poll: Poll): void {
  polls.push(poll)
}

/** Stale time of data that events keep current: infinite while they arrive. */
export const whileLive = (otherwise: number) => () =>
  useLiveUpdates.getState().isLive ? Infinity : otherwise

/** Message between tabs: the stream was interrupted, so events may have been missed. */
const interrupted = "interrupted"
/** Message between tabs: the stream is open. A tab that opens later requests this with `asks`. */
const comes = "comes"
const asks = "asks"
/** Message between tabs: the stream was closed. The server closes it with the session, so the session is read again. */
const lost = "lost"

/**
 * Follows the server's events while a user is signed in: one stream for all tabs of a browser. One tab holds the stream
 * (decided by a Web Lock; the next tab takes over when it closes) and forwards events over a BroadcastChannel. Returns
 * a function that stops it.
 */
export function followEvents(client: QueryClient): () => void {
  const stopping = new AbortController()
  const { signal } = stopping
  const channel = new BroadcastChannel("laurel-events")
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a channel reaches one origin only
  const post = (message: string) => channel.postMessage(message)
  let holds = false
  let hadMessages = false
  let jobChangedAt: number | undefined
  let silence: ReturnType<typeof setTimeout> | undefined
  const waitForEvents = () => {
    clearTimeout(silence)
    silence = setTimeout(() => {
      useLiveUpdates.setState({ isLive: false, isDelayed: true })
    }, heartbeat.silenceMs)
  }
  waitForEvents()
  const poll = setInterval(() => {
    if (!useLiveUpdates.getState().isLive && navigator.onLine) for (const each of polls) each(client)
  }, pollEvery)
  const onMessage = (message: unknown) => {
    useLiveUpdates.setState({ isLive: message !== lost })
    if (message !== lost) {
      useLiveUpdates.setState({ isDelayed: false })
      waitForEvents()
    }
    return apply(client, message)
  }
  const notify = (message: string) => {
    holds = true
    // A tab that takes over the stream may have missed events.
    const said = message === comes && hadMessages ? interrupted : message
    const event = onMessage(said)
    if (event?.topic === "job") jobChangedAt = performance.now() - (event.unchanged_ms ?? 0)
    post(said)
  }
  channel.addEventListener("message", ({ data }: MessageEvent<unknown>) => {
    hadMessages ||= data !== asks
    if (data !== asks) onMessage(data)
    else if (holds && useLiveUpdates.getState().isLive) {
      post(comes)
      // The first event of a stream, for a page that was rendered before it could receive events.
      const unchanged_ms = jobChangedAt && performance.now() - jobChangedAt
      post(JSON.stringify({ topic: "job", id: "", unchanged_ms } satisfies LiveEvent))
    }
  })
  post(asks)
  const hold = () => holdStream(apiPath("events"), signal, notify)
  // Undefined on insecure origins, despite the types: each tab then opens its own stream.
  const locks: LockManager | undefined = navigator.locks
  const locked = locks === undefined ? hold() : locks.request("laurel-events", { signal }, hold)
  void Promise.resolve(locked).catch((error: unknown) => {
    if (!signal.aborted) throw error
  })
  return () => {
    stopping.abort()
    channel.close()
    clearTimeout(silence)
    clearInterval(poll)
    useLiveUpdates.setState({ isLive: false, isDelayed: false })
  }
}

/** Handles a message; returns the event, if it is one. */
function apply(client: QueryClient, message: unknown): LiveEvent | undefined {
  // The missed events are unknown, so every active query is refetched.
  if (message === interrupted) void client.invalidateQueries({ refetchType: "active" })
  if (message === lost) void client.invalidateQueries({ queryKey: sessionQuery.queryKey })
  const event = readEvent(message)
  // This tab made the change and has the response.
  if (event === undefined || event.by === tabId()) return event
  const keys = (registered.get(event.topic) ?? []).map((key) =>
    typeof key === "function" ? key(event.id) : key,
  )
  // The first event of a stream reports no change.
  if (event.unchanged_ms === undefined) for (const key of keys) repeatFirstReads(client, key)
  const results = handlers.get(event.topic)?.map((handle) => handle(client, event)) ?? []
  if (results.includes(true)) return event
  for (const queryKey of keys) void client.invalidateQueries({ queryKey })
  return event
}

const repeated = new WeakSet<Query>()

/** Refetches queries whose first read is under way during a change: that read may return the old state. */
export function repeatFirstReads(client: QueryClient, queryKey: QueryKey): void {
  const reads = client.getQueryCache().findAll({ queryKey, fetchStatus: "fetching" })
  for (const query of reads.filter(({ state }) => state.data === undefined)) {
    if (repeated.has(query)) continue
    repeated.add(query)
    const again = () => {
      repeated.delete(query)
      void client.invalidateQueries({ queryKey: query.queryKey, exact: true })
    }
    query.promise?.then(again, () => repeated.delete(query))
  }
}

/** Unknown events are ignored: the server may be newer than this page. */
function readEvent(data: unknown): LiveEvent | undefined {
  try {
    const parsed: unknown = JSON.parse(String(data))
    // Data of a newer server might not parse; the queries are invalidated then.
    return liveEvent.safeParse(parsed).data ?? appEvent.safeParse(parsed).data
  } catch {
    return undefined
  }
}

/** Delays between attempts after a stream was refused or silent, in ms. */
const pauses = [1000, 2000, 5000, 10_000, 30_000]

/**
 * Holds an event stream open until `signal` aborts. The browser reconnects after a lost connection, but gives up after
 * a refusal (401 when the session ended, 503 during a restart), and a proxy may send the headers and hold back the
 * body. In these cases the stream is reopened with growing delays. Only received data show that a stream works.
 */
function holdStream(path: string, signal: AbortSignal, notify: (message: string) => void): Promise<void> {
  return new Promise((resolve) => {
    let openedBefore = false
    let isStreaming = false
    let failures = 0
    let source: EventSource | undefined
    let timer: ReturnType<typeof setTimeout> | undefined

    const open = () => {
      const stream = new EventSource(path)
      source = stream
      const reopenAfter = (ms: number) => {
        clearTimeout(timer)
        timer = setTimeout(reopen, ms)
      }
      const reopen = () => {
        stream.close()
        setLost()
        timer = setTimeout(open, pauses[Math.min(failures, pauses.length - 1)])
        failures += 1
      }
      reopenAfter(heartbeat.silenceMs)
      stream.addEventListener("open", () => reopenAfter(heartbeat.silenceMs))
      stream.addEventListener("message", ({ data }) => {
        if (typeof data !== "string") return
        reopenAfter(heartbeat.silenceMs)
        failures = 0
        if (!isStreaming) notify(openedBefore ? interrupted : comes)
        isStreaming = openedBefore = true
        notify(data)
      })
      stream.addEventListener("error", () => {
        setLost()
        if (stream.readyState === EventSource.CLOSED) reopen()
        // The browser's own retry gets the same time as the first attempt.
        else reopenAfter(heartbeat.silenceMs + 2000)
      })
    }
    const setLost = () => {
      if (isStreaming) notify(lost)
      isStreaming = false
    }
    const stop = () => {
      clearTimeout(timer)
      source?.close()
      resolve()
    }
    if (signal.aborted) return stop()
    signal.addEventListener("abort", stop, { once: true })
    open()
  })
}
