import { randomUUID } from "node:crypto"
import type { IncomingMessage, RequestListener, ServerResponse } from "node:http"
import type { Logger } from "pino"
import type { Sessions } from "../auth/sessions.ts"
import type { DeskAnswer, DeskRequest } from "../../core/http.ts"
import type { Log } from "../../core/ports.ts"
import type { DeskMetrics } from "./desk-metrics.ts"
import { deskRequestOf, leftEarly } from "./desk-route.ts"
import { errorAnswer } from "./error-answers.ts"
import type { SourceAddress } from "./request-id.ts"
import { logAnswered } from "./request-log.ts"
import { dataHeaderList } from "./security-headers.ts"
import { sendAnswer } from "./send-answer.ts"
import { openSessionOf } from "./session-guard.ts"

/** What reads pass on their way. */
export interface ServiceReadDeps {
  readonly sessions: Sessions
  readonly desk: { handle(request: DeskRequest): Promise<DeskAnswer> }
  readonly metrics: DeskMetrics
  readonly logger: Logger
  readonly log: Log
  readonly publicOrigin: string | undefined
  readonly sourceOf: SourceAddress
}

/**
 * Reads of the services, which people wait for all day. They pass what every request of the desk passes, in the order
 * of `app.ts`, and no router: finding the way through one takes as long as all of the desk's own work on a read.
 * @param others answers everything else
 */
export function serviceReads(deps: ServiceReadDeps, others: RequestListener): RequestListener {
  const security = dataHeaderList(deps.publicOrigin).flat()

  async function answer(req: IncomingMessage, res: ServerResponse, url: string): Promise<void> {
    const method = "GET"
    const requestId = randomUUID()
    const startedAt = performance.now()
    const source = deps.sourceOf(req)
    const gone = new AbortController()
    let userId: string | undefined
    let personal = false
    // Comes once for every answer, also for one whose reader left before its end.
    res.on("close", () => {
      leftEarly(res, gone)
      const status = res.statusCode
      if (res.writableFinished) deps.metrics.answered(method, url, status, performance.now() - startedAt)
      logAnswered(deps.logger, { requestId, method, url, status, startedAt, source, userId, personal })
    })
    const head = ["X-Request-Id", requestId, ...security]
    try {
      const { user, cookies } = await openSessionOf(deps.sessions, req.headers.cookie)
      userId = user.id
      for (const cookie of cookies) head.push("Set-Cookie", cookie)
      const below = url.slice("/api".length)
      const arrived = { method, url: below, headers: req.headers, body: undefined, user, requestId, source }
      const answered = await deps.desk.handle(deskRequestOf(arrived, gone.signal))
      personal = answered.personal ?? false
      await sendAnswer(req, res, answered, head)
    } catch (error) {
      const failed = errorAnswer(deps.log, error, requestId)
      // Half an answer cannot be taken back: the connection says that it is not whole.
      if (res.headersSent) res.destroy()
      else await sendAnswer(req, res, failed, head)
    }
  }

  return (req, res) => {
    const url = req.url ?? ""
    if (!isServiceRead(req, url)) {
      others(req, res)
      return
    }
    answer(req, res, url).catch(() => res.destroy())
  }
}

/** A plain read. One that carries a body is left to those who know what to do with it. */
function isServiceRead({ method, headers }: IncomingMessage, url: string): boolean {
  if (method !== "GET" || !(url.startsWith("/api/program/") || url.startsWith("/api/giftcard/"))) return false
  return headers["content-length"] === undefined && headers["transfer-encoding"] === undefined
}
