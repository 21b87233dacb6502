import { heartbeat, type LiveEvent, liveEvent } from "../../contract/events.ts"
import type { Person } from "./person.ts"

/** An open event stream. */
export interface EventReader {
  readonly status: number
  /** Events received so far. */
  readonly events: readonly LiveEvent[]
  readonly headers: Headers
  /** Heartbeats received so far. */
  heartbeats(): number
  /** Whether the server closed the stream. */
  ended(): boolean
  stop(): void
}

/** Opens an event stream as a browser does; resolves with the response headers. */
export async function readEvents(url: string, person: Pick<Person, "cookie">): Promise<EventReader> {
  const stopping = new AbortController()
  const response = await fetch(`${url}/api/events`, {
    headers: { Cookie: person.cookie, Accept: "text/event-stream" },
    signal: stopping.signal,
  })
  const events: LiveEvent[] = []
  let isEnded = false
  let heartbeats = 0
  const readStream = async () => {
    let rest = ""
    const decoder = new TextDecoder()
    for await (const chunk of response.body ?? []) {
      const blocks = (rest + decoder.decode(chunk, { stream: true })).split("\n\n")
      rest = blocks.pop() ?? ""
      for (const block of blocks) {
        if (block === `data: ${heartbeat.data}`) heartbeats += 1
        else if (block.startsWith("data: ")) events.push(liveEvent.parse(JSON.parse(block.slice(6))))
      }
    }
  }
  readStream()
    .catch(() => undefined)
    .finally(() => (isEnded = true))
  return {
    status: response.status,
    headers: response.headers,
    events,
    heartbeats: () => heartbeats,
    ended: () => isEnded,
    stop: () => stopping.abort(),
  }
}
