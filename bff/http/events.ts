import type { RequestHandler, Response } from "express"
import type { Core } from "../../core/app.ts"
import type { Log } from "../../core/ports.ts"
import type { EventReader } from "../../core/events/live-events.ts"
import type { OpenSession, Sessions } from "../../core/users/accounts.ts"
import type { StoreEventBus } from "../store/engine.ts"
import { heartbeat } from "../../contract/events.ts"
import { sessionOf } from "./request-context.ts"

/** Streams per person, one per browser; the oldest ends when one more opens. */
const streamsPerUser = 12
/** The session is looked up again after this number of heartbeats. */
const beatsPerSessionCheck = 5
/** A reader with this many unsent bytes is disconnected; it reads everything again when it reconnects. */
const longestQueueBytes = 64 * 1024

interface Stream {
  readonly res: Response
  readonly cookieHeader: string | undefined
  session: OpenSession
  last: Promise<unknown>
}

export type EventStreams = ReturnType<typeof createEventStreams>

/** Sends changes to open streams, as far as each person's role may see them. */
export function createEventStreams(bus: StoreEventBus, sessions: Sessions, live: Core["live"], log: Log) {
  const open = new Set<Stream>()
  const end = (stream: Stream) => {
    open.delete(stream)
    stream.res.end()
  }
  /** Ends every stream; browsers reconnect. */
  const endAll = () => {
    for (const stream of Array.from(open)) end(stream)
  }

  /** Ends the stream if its session is over; otherwise takes over a changed role. */
  const checkSession = async (stream: Stream): Promise<boolean> => {
    const session = await sessions.read(stream.cookieHeader, "watch")
    if (session === undefined) {
      end(stream)
      return false
    }
    stream.session = session
    return true
  }

  /** Serialized, in order of arrival. */
  const after = (stream: Stream, act: () => Promise<unknown>) => {
    stream.last = stream.last.then(act).catch(orEnd(stream))
  }
  const deliver = async (stream: Stream, read: EventReader) => {
    if (!open.has(stream)) return
    const events = await read(stream.session.user)
    // The stream may have ended during the read.
    if (open.has(stream)) write(stream, events.map((event) => `data: ${JSON.stringify(event)}\n\n`).join(""))
  }
  const write = (stream: Stream, text: string) => {
    if (stream.res.writableLength > longestQueueBytes) stream.res.destroy()
    else stream.res.write(text)
  }
  const beat = (stream: Stream) => write(stream, `data: ${heartbeat.data}\n\n`)
  const orEnd = (stream: Stream) => (error: unknown) => {
    log.warn({ reason: String(error) }, "An event stream ended: its session could not be looked up.")
    end(stream)
  }

  bus.subscribe(({ topic, id }) => {
    if (topic !== "session") return
    for (const stream of open) if (stream.session.user.id === id) after(stream, () => checkSession(stream))
  })
  live.listen((read) => {
    for (const stream of open) after(stream, () => deliver(stream, read))
  })
  // Missed events are unknown: the browser reconnects and reads again.
  bus.onGap(endAll)

  /** Handles `GET /api/events`. */
  const handler: RequestHandler = (req, res) => {
    const head = {
      "Content-Type": "text/event-stream; charset=utf-8",
      "Cache-Control": "no-store, no-transform",
      "X-Accel-Buffering": "no",
    }
    if (req.method === "HEAD") {
      res.writeHead(200, head).end()
      return
    }
    const session = sessionOf(res)
    const stream: Stream = { res, cookieHeader: req.headers.cookie, session, last: Promise.resolve() }
    const own = Array.from(open).filter((other) => other.session.user.id === stream.session.user.id)
    if (own.length >= streamsPerUser && own[0] !== undefined) end(own[0])
    res.writeHead(200, head)
    open.add(stream)
    write(stream, "retry: 2000\n\n")
    // Data right after the head shows the page that no proxy holds the body.
    beat(stream)
    after(stream, () => deliver(stream, live.now()))
    let beats = 0
    const timer = setInterval(() => {
      beats += 1
      if (beats % beatsPerSessionCheck === 0) checkSession(stream).catch(orEnd(stream))
      if (open.has(stream)) beat(stream)
    }, heartbeat.everyMs)
    res.on("close", () => {
      clearInterval(timer)
      open.delete(stream)
    })
  }
  return { handler, endAll, count: () => open.size }
}
