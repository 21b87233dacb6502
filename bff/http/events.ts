import type { RequestHandler, Response } from "express"
import type { AppEvent } from "../../contract/status.ts"
import type { OpenSession, Sessions } from "../auth/sessions.ts"
import type { JobStore } from "../../core/jobs/job-store.ts"
import type { Log } from "../../core/ports.ts"
import type { StoreEventBus } from "../store/engine.ts"
import { eventVisibleTo } from "../../core/resources/access.ts"
import { sessionOf } from "./request-context.ts"

/** Streams one person may hold, a browser each; the oldest ends when one more comes. */
const streamsPerUser = 12
/** A comment this often keeps proxies from ending a quiet stream; the session is checked again, too. In ms. */
const heartbeatMs = 20_000
/** A reader that lets this many bytes pile up is let go; it reads everything again when it comes back. */
const longestQueueBytes = 64 * 1024

interface Stream {
  readonly res: Response
  readonly cookieHeader: string | undefined
  session: OpenSession
}

export type EventStreams = ReturnType<typeof createEventStreams>

/** Passes the bus on to whoever watches, as far as each person's role may hear of it. */
export function createEventStreams(
  bus: StoreEventBus,
  sessions: Sessions,
  jobs: Pick<JobStore, "get">,
  log: Log,
) {
  const open = new Set<Stream>()
  const end = (stream: Stream) => {
    open.delete(stream)
    stream.res.end()
  }
  /** Ends every stream; browsers come back by themselves. */
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

  const deliver = async (stream: Stream, event: AppEvent) => {
    const concernsSession = event.topic === "session" && event.id === stream.session.user.id
    if (concernsSession && !(await checkSession(stream))) return
    const visible = await eventVisibleTo(stream.session.user, event, jobs)
    // The stream may have ended while the job was looked up.
    if (visible !== undefined && open.has(stream)) write(stream, `data: ${JSON.stringify(visible)}\n\n`)
  }
  const write = (stream: Stream, text: string) => {
    if (stream.res.writableLength > longestQueueBytes) stream.res.destroy()
    else stream.res.write(text)
  }
  const beat = async (stream: Stream) => {
    if (await checkSession(stream)) write(stream, ": still here\n\n")
  }
  const orEnd = (stream: Stream) => (error: unknown) => {
    log.warn({ reason: String(error) }, "An event stream ended: its session could not be looked up.")
    end(stream)
  }

  bus.subscribe((event) => {
    for (const stream of Array.from(open)) deliver(stream, event).catch(orEnd(stream))
  })
  // What was missed is not known: the browser reconnects and reads again what it shows.
  bus.onGap(endAll)

  /** Handles `GET /api/events`: topic and id only, never data. */
  const handler: RequestHandler = (req, res) => {
    const head = {
      "Content-Type": "text/event-stream; charset=utf-8",
      "Cache-Control": "no-store",
      "X-Accel-Buffering": "no",
    }
    if (req.method === "HEAD") {
      res.writeHead(200, head).end()
      return
    }
    const stream: Stream = { res, cookieHeader: req.headers.cookie, session: sessionOf(res) }
    const own = Array.from(open).filter((other) => other.session.user.id === stream.session.user.id)
    if (own.length >= streamsPerUser && own[0] !== undefined) end(own[0])
    res.writeHead(200, head)
    open.add(stream)
    write(stream, "retry: 2000\n\n")
    const timer = setInterval(() => {
      beat(stream).catch(orEnd(stream))
    }, heartbeatMs)
    res.on("close", () => {
      clearInterval(timer)
      open.delete(stream)
    })
  }
  return { handler, endAll, count: () => open.size }
}
