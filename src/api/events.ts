import type { QueryClient, QueryKey } from "@tanstack/react-query"
import { deskEvent, type DeskEvent } from "../../contract/desk/event.ts"
import { apiPath } from "./path.ts"
import { openStream } from "./event-stream.ts"
import { sessionQuery } from "./session.ts"

type Topic = DeskEvent["topic"]

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
function readEvent(data: unknown): DeskEvent | undefined {
  if (typeof data !== "string") return undefined
  try {
    return deskEvent.safeParse(JSON.parse(data)).data
  } catch {
    return undefined
  }
}
