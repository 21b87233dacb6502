import type { QueryClient, QueryKey } from "@tanstack/react-query"
import { appEvent, type AppEvent } from "../../contract/status.ts"
import { apiPath } from "./request.ts"
import { sessionQuery } from "./session.ts"

type Topic = AppEvent["topic"]

/** The keys to read again for a topic: a prefix, or made from the id of what changed. */
type KeyOf = QueryKey | ((id: string) => QueryKey)

const registered = new Map<Topic, KeyOf[]>()

/**
 * Says which answers a topic concerns. Each file of `api` registers its own, once, beside its query options.
 * @param key a prefix of query keys, or a function of the id of what changed
 */
export function registerTopic(topic: Topic, key: KeyOf): void {
  registered.set(topic, [...(registered.get(topic) ?? []), key])
}

registerTopic("session", sessionQuery.queryKey)

/** Tabs pass on the events as they came, and this when the stream was interrupted: some may have been missed. */
const interrupted = "interrupted"
/** And this when it broke off: the server ends it with the session, so that is asked for at once. */
const lost = "lost"

/**
 * Follows the desk's events for as long as somebody is signed in: one stream for all tabs of a browser. One tab
 * holds the stream (a Web Lock decides which, and the next takes over when it closes) and passes events on over a
 * BroadcastChannel. Returns what stops it.
 */
export function followEvents(queryClient: QueryClient): () => void {
  const stopping = new AbortController()
  const channel = new BroadcastChannel("laurel-events")
  const tell = (message: string) => {
    apply(queryClient, message)
    // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a channel reaches one origin only
    channel.postMessage(message)
  }
  channel.addEventListener("message", ({ data }: MessageEvent<unknown>) => apply(queryClient, data))

  void holdStream(stopping.signal, () =>
    openStream({
      path: apiPath("events"),
      signal: stopping.signal,
      onEvent: tell,
      onLost: () => tell(lost),
      onReconnect: () => tell(interrupted),
    }),
  )
  return () => {
    stopping.abort()
    channel.close()
  }
}

/** Runs `hold` in one tab at a time. Without Web Locks (a plain-http address) every tab holds its own stream. */
async function holdStream(signal: AbortSignal, hold: () => Promise<void>): Promise<void> {
  // Absent outside a secure page, whatever the types say.
  const locks: LockManager | undefined = navigator.locks
  try {
    await (locks === undefined ? hold() : locks.request("laurel-events", { signal }, hold))
  } catch (error) {
    if (!signal.aborted) throw error
  }
}

function apply(queryClient: QueryClient, message: unknown): void {
  if (message === interrupted) {
    // What was missed is not known: everything open is read again.
    void queryClient.invalidateQueries({ refetchType: "active" })
    return
  }
  if (message === lost) {
    void queryClient.invalidateQueries({ queryKey: sessionQuery.queryKey })
    return
  }
  const event = readEvent(message)
  if (event === undefined) return
  for (const key of registered.get(event.topic) ?? []) {
    void queryClient.invalidateQueries({ queryKey: typeof key === "function" ? key(event.id) : key })
  }
}

/** An event we do not know is no fault: the server may be newer than this page. */
function readEvent(data: unknown): AppEvent | undefined {
  if (typeof data !== "string") return undefined
  try {
    return appEvent.safeParse(JSON.parse(data)).data
  } catch {
    return undefined
  }
}

interface StreamOptions {
  readonly path: string
  readonly signal: AbortSignal
  readonly onEvent: (data: string) => void
  /** The stream broke off: the server goes away, or the session is over. */
  readonly onLost: () => void
  /** The stream stands again after an interruption. */
  readonly onReconnect: () => void
}

/** Waits between attempts after the server closed the door, in ms: a restart takes a moment, a sign-in longer. */
const pauses = [1000, 2000, 5000, 10_000, 30_000]

/**
 * Holds an event stream open until `signal` aborts. The browser reconnects by itself after a lost connection; after
 * a refusal (401 when the session ended, 503 while the server starts) it gives up, so we open it again, more and
 * more slowly.
 */
function openStream({ path, signal, onEvent, onLost, onReconnect }: StreamOptions): Promise<void> {
  return new Promise((resolve) => {
    let opened = false
    let stands = false
    let failures = 0
    let source: EventSource | undefined
    let timer: ReturnType<typeof setTimeout> | undefined

    const open = () => {
      const stream = new EventSource(path)
      source = stream
      stream.addEventListener("open", () => {
        failures = 0
        stands = true
        if (opened) onReconnect()
        opened = true
      })
      stream.addEventListener("message", ({ data }) => {
        if (typeof data === "string") onEvent(data)
      })
      stream.addEventListener("error", () => {
        if (stands) onLost()
        stands = false
        if (stream.readyState !== EventSource.CLOSED) return
        timer = setTimeout(open, pauses[Math.min(failures, pauses.length - 1)])
        failures += 1
      })
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
