import { giftcardError, programError } from "../answer.ts"
import type { Gate } from "../gate.ts"
import { Refusal, type Api } from "../refusal.ts"
import type { Call, World } from "../world.ts"
import type { FaultBox } from "./box.ts"
import { damaged, emptied, htmlPage, truncated } from "./damage.ts"
import { dripped } from "./drip.ts"
import type { FaultRule } from "./rule.ts"
import { ConnectionDropped, hangUntil } from "./signals.ts"

/** What a fault may do to one request. */
export interface Struck {
  readonly world: World
  readonly box: FaultBox
  readonly gate: Gate
  readonly api: Api
  readonly body: string
  readonly signal: AbortSignal
  /** Carries the request out, with the call changed where the fault asks for it. */
  carryOut(changes?: Partial<Call>): Promise<Response>
  /** Has the request carried out some ms later. */
  carryOutLater(ms: number): void
}

/** Answers a request that a fault strikes. Throws ConnectionDropped, or the signal's reason after a hang. */
export async function runFault(rule: FaultRule, on: Struck): Promise<Response> {
  const { settings, options } = on.world
  switch (rule.kind) {
    case "before-commit-500":
      return serverError(on, rule.status)
    case "after-commit-500":
      await on.carryOut()
      return serverError(on, rule.status)
    case "partial-bulk": {
      const bulkStop = rule.keep ?? Math.floor(itemsIn(on.body) / 2)
      return answerAs(rule, on, await on.carryOut({ bulkStop }))
    }
    case "drop-before":
      throw new ConnectionDropped()
    case "drop-after":
      await on.carryOut()
      throw new ConnectionDropped()
    case "hang":
      if (rule.commit === true) await on.carryOut()
      return hangUntil(on.signal)
    case "slow":
      return slow(rule, on)
    case "drip":
      return dripped(await on.carryOut(), rule.ms ?? 1000, options.wait, on.signal)
    case "429":
      return on.gate.rateLimited(on.api)
    case "html":
      if (rule.commit !== false) await on.carryOut()
      return htmlPage(rule.status ?? 200)
    case "truncated":
      return truncated(await on.carryOut())
    case "empty":
      return emptied(await on.carryOut())
    case "late-commit":
      on.carryOutLater(rule.ms ?? settings.lateCommitMs)
      return answerAs(rule, on, undefined)
    case "lagging-history":
      return on.carryOut({ lagMs: rule.ms ?? 5000, hideMs: rule.ms ?? 5000 })
    default:
      return damaged(await on.carryOut(), rule, on.box)
  }
}

async function slow(rule: FaultRule, on: Struck): Promise<Response> {
  const ms = rule.ms ?? 1000
  // A stalled server carries the request out after its client gave up: this wait has no signal.
  if (rule.commit === false) {
    await on.world.options.wait(ms)
    return on.carryOut()
  }
  const response = await on.carryOut()
  await on.world.options.wait(ms, on.signal)
  return response
}

async function answerAs(rule: FaultRule, on: Struck, carriedOut: Response | undefined): Promise<Response> {
  if (rule.answer === "drop") throw new ConnectionDropped()
  if (rule.answer === "hang") return hangUntil(on.signal)
  if (rule.answer === "ok" && carriedOut !== undefined) return carriedOut
  return serverError(on, rule.status)
}

function itemsIn(body: string): number {
  return body.split(`"member_id"`).length - 1
}

function serverError(on: Struck, status = 500): Response {
  const { settings } = on.world
  const message =
    status === 503 ? "Service unavailable" : status === 504 ? "Gateway timeout" : "Something went wrong"
  if (on.api === "program") return programError(status, codeFor(on, status), message)
  return giftcardError(
    settings,
    new Refusal(status, settings.giftcardUnspecifiedCodes ? "INTERNAL" : undefined, message),
  )
}

function codeFor({ world: { settings } }: Struck, status: number): string {
  if (status === 401) return "unauthorized"
  if (status === 403) return settings.forbiddenCode
  if (status === 404) return "not_found"
  return status < 500 ? "invalid_request" : settings.serverErrorCode
}
