import type { Query, QueryClient, QueryKey } from "@tanstack/react-query"
import { appEvent, heartbeat, liveEvent, type LiveEvent } from "../../contract/status.ts"
import { externalValue } from "../lib/external-value.ts"
import { apiPath, tabId } from "./request.ts"
import { sessionQuery } from "./session.ts"

type Topic = LiveEvent["topic"]
type KeyOf = QueryKey | ((id: string) => QueryKey)

const registered = new Map<Topic, KeyOf[]>()

/**
 * Says which queries a topic concerns: a prefix of their keys, or a function of the id of what changed. Each file of
 * `api` registers its own, once, beside its query options.
 */
export function registerTopic(topic: Topic, key: KeyOf): void {
  registered.set(topic, [...(registered.get(topic) ?? []), key])
}

type Taker = (client: QueryClient, event: LiveEvent) => boolean

const takers = new Map<Topic, Taker[]>()

/** Says what takes data that events of a topic carry; where one gives back true, nothing is read again. */
export function registerEventHandler(topic: Topic, take: Taker): void {
  takers.set(topic, [...(takers.get(topic) ?? []), take])
}

registerTopic("session", sessionQuery.queryKey)

/** Whether events arrive: what they keep current is polled while they do not. */
export const isLive = externalValue(false)

/** Whether none arrived for `heartbeat.silenceMs`, which the page shows. */
export const updatesDelayed = externalValue(false)

/** How often jobs are read while no events arrive, in ms. */
export const pollEvery = 3000

type Poll = (client: QueryClient) => void

const polls: Poll[] = []

/** Registers what is read every `pollEvery` ms while no events arrive, so that no page needs its own interval. */
export function registerPoll(poll: Poll): void {
  polls.push(poll)
}

/** How long what events keep current is fresh: as long as they come. */
export const whileLive = (otherwise: number) => () => (isLive.get() ? Infinity : otherwise)

/** Tabs pass on the events as they came, and this when the stream was interrupted: some may have been missed. */
const interrupted = "interrupted"
/** And this when it opened first. A tab that was opened later asks whether events come, and hears it. */
const comes = "comes"
const asks = "asks"
/** And this when it broke off: the server ends it with the session, so that is read at once. */
const lost = "lost"

/**
 * Follows the server's events for as long as somebody is signed in: one stream for all tabs of a browser. One tab
 * holds the stream (a Web Lock decides which, and the next takes over when it closes) and passes events on over a
 * BroadcastChannel. Returns what stops it.
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
      isLive.set(false)
      updatesDelayed.set(true)
    }, heartbeat.silenceMs)
  }
  waitForEvents()
  const poll = setInterval(() => {
    if (!isLive.get() && navigator.onLine) for (const each of polls) each(client)
  }, pollEvery)
  const onMessage = (message: unknown) => {
    isLive.set(message !== lost)
    if (message !== lost) {
      updatesDelayed.set(false)
      waitForEvents()
    }
    return apply(client, message)
  }
  const notify = (message: string) => {
    holds = true
    // A tab that takes over from another one may have missed what came in between.
    const said = message === comes && hadMessages ? interrupted : message
    const event = onMessage(said)
    if (event?.topic === "job") jobChangedAt = performance.now() - (event.unchanged_ms ?? 0)
    post(said)
  }
  channel.addEventListener("message", ({ data }: MessageEvent<unknown>) => {
    hadMessages ||= data !== asks
    if (data !== asks) onMessage(data)
    else if (holds && isLive.get()) {
      post(comes)
      // What a stream begins with, for a page that was written before it could hear anything.
      const unchanged_ms = jobChangedAt && performance.now() - jobChangedAt
      post(JSON.stringify({ topic: "job", id: "", unchanged_ms } satisfies LiveEvent))
    }
  })
  post(asks)
  const hold = () => holdStream(apiPath("events"), signal, notify)
  // Absent outside a secure page, whatever the types say: every tab then holds its own stream.
  const locks: LockManager | undefined = navigator.locks
  const held = locks === undefined ? hold() : locks.request("laurel-events", { signal }, hold)
  void Promise.resolve(held).catch((error: unknown) => {
    if (!signal.aborted) throw error
  })
  return () => {
    stopping.abort()
    channel.close()
    clearTimeout(silence)
    clearInterval(poll)
    isLive.set(false)
    updatesDelayed.set(false)
  }
}

/** Does what a message asks for; gives back the event, if it is one. */
function apply(client: QueryClient, message: unknown): LiveEvent | undefined {
  // What was missed is not known: everything open is read again.
  if (message === interrupted) void client.invalidateQueries({ refetchType: "active" })
  if (message === lost) void client.invalidateQueries({ queryKey: sessionQuery.queryKey })
  const event = readEvent(message)
  // This tab made the change, and its response said what it made.
  if (event === undefined || event.by === tabId()) return event
  const keys = (registered.get(event.topic) ?? []).map((key) =>
    typeof key === "function" ? key(event.id) : key,
  )
  // What a stream begins with tells of no change.
  if (event.unchanged_ms === undefined) for (const key of keys) repeatFirstReads(client, key)
  const taken = takers.get(event.topic)?.map((take) => take(client, event)) ?? []
  if (taken.includes(true)) return event
  for (const queryKey of keys) void client.invalidateQueries({ queryKey })
  return event
}

const repeated = new WeakSet<Query>()

/** What is read for the first time while it changes may be read as it was before: once it is there, it is read again. */
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

/** An event we do not know is no fault: the server may be newer than this page. */
function readEvent(data: unknown): LiveEvent | undefined {
  try {
    const parsed: unknown = JSON.parse(String(data))
    // Data of a newer server may be of another kind: what changed is read again then.
    return liveEvent.safeParse(parsed).data ?? appEvent.safeParse(parsed).data
  } catch {
    return undefined
  }
}

/** Waits between attempts after a stream was refused or stayed silent, in ms: a restart takes a moment, a sign-in longer. */
const pauses = [1000, 2000, 5000, 10_000, 30_000]

/**
 * Holds an event stream open until `signal` aborts. The browser reconnects after a lost connection. After a
 * refusal (401 when the session ended, 503 while the server starts) it gives up, and a proxy may pass the head of the
 * response and hold its body: then we open another, more and more slowly. Only data shows that a stream works.
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
        // The browser's own next attempt gets the same time as the first.
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
