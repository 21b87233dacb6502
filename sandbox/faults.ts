import * as z from "zod/mini"
import { type Api, giftcardError, programError, unspecified } from "./http.ts"
import type { RateLimiter } from "./rate-limiter.ts"
import { type Random, randomFrom, seedNumber } from "./seed/random.ts"
import type { Call, World } from "./world.ts"

/**
 * The connection was destroyed before an answer. `serve.ts` destroys the socket; in a browser or a test whoever
 * calls `fetch` meets a network error.
 */
export class ConnectionDropped extends Error {
  override readonly name = "ConnectionDropped"

  constructor() {
    super("The sandbox dropped the connection.")
  }
}

/** Never answers; rejects with the signal's reason when the request is given up. */
function hangUntil(signal: AbortSignal): Promise<never> {
  return new Promise((_, reject) => {
    if (signal.aborted) reject(signal.reason)
    else signal.addEventListener("abort", () => reject(signal.reason), { once: true })
  })
}

const announced = new WeakMap<Response, number>()

/** How many bytes a response promises, if that is not how many it has. */
export function announcedLength(response: Response): number | undefined {
  return announced.get(response)
}

const failures = ["before-commit-500", "after-commit-500", "drop-before", "drop-after", "429"] as const
const oddities = ["hang", "slow", "drip", "html", "truncated", "empty", "partial-bulk"] as const
const delays = ["late-commit", "lagging-history"] as const
const damages = ["unknown-enum", "missing-field", "extra-field", "null-field", "wrong-type"] as const
/** What a fault does; docs/sandbox.md describes each. */
const faultKinds = [...failures, ...oddities, ...delays, ...damages] as const
/** What a fault does. */
export type FaultKind = (typeof faultKinds)[number]

const count = z.int().check(z.minimum(1))

/** A fault as it is asked for. */
export const faultInput = z.strictObject({
  id: z.optional(z.string()),
  /** Which requests it meets; everything left out meets all. */
  match: z._default(
    z.strictObject({
      api: z.optional(z.enum(["program", "giftcard"])),
      method: z.optional(z.string()),
      /** Path as it is sent; `*` stands for anything: `/v1/members/*`. */
      path: z.optional(z.string()),
      /** Only the n-th request that matches, counted from 1. */
      nth: z.optional(count),
      /** Only every n-th request that matches. */
      every: z.optional(count),
      /** Only so often, from 0 to 1; drawn from the seeded generator. */
      probability: z.optional(z.number().check(z.minimum(0), z.maximum(1))),
      /** At most so many times. */
      times: z.optional(count),
    }),
    {},
  ),
  kind: z.enum(faultKinds),
  /** Status answered, for the kinds that answer an error or a page. */
  status: z.optional(z.int().check(z.minimum(200), z.maximum(599))),
  /** How long, for "slow", "drip", "late-commit" and "lagging-history". */
  ms: z.optional(z.int().check(z.minimum(0))),
  /** How a "partial-bulk" or "late-commit" is answered. */
  answer: z.optional(z.enum(["error", "ok", "drop", "hang"])),
  /** Whether the request is carried out; each kind has its own default. */
  commit: z.optional(z.boolean()),
  /** How many items of a bulk award are booked; half of them by default. */
  keep: z.optional(z.int().check(z.minimum(0))),
  /** Field that is damaged; one is drawn when left out. */
  field: z.optional(z.string()),
  /** What "unknown-enum" and "extra-field" put there. */
  value: z.optional(z.string()),
})

/** A fault as it is asked for. */
export type FaultInput = z.input<typeof faultInput>

/** A fault in the box, with how often it was met. */
interface FaultRule extends z.output<typeof faultInput> {
  readonly id: string
  /** Requests that matched so far. */
  seen: number
  /** Times it struck so far. */
  fired: number
}

/** What a rule is matched against. */
interface Arrival {
  readonly api: Api
  readonly method: string
  readonly path: string
}

/** The faults that were asked for. The first rule that strikes decides about a request. */
export class FaultBox {
  private readonly rules: FaultRule[] = []
  private readonly seed: number
  private random: Random
  private count = 0

  constructor(seed: string | number) {
    this.seed = seedNumber(seed)
    this.random = randomFrom(this.seed, 81)
  }

  /** Adds a rule, behind those that are there. Throws a ZodError on a bad one. */
  add(input: FaultInput): FaultRule {
    this.count += 1
    const parsed = faultInput.parse(input)
    const rule: FaultRule = { ...parsed, id: parsed.id ?? `fault_${this.count}`, seen: 0, fired: 0 }
    this.rules.push(rule)
    return rule
  }

  /** Takes a rule out; false if there is none with that id. */
  remove(id: string): boolean {
    const index = this.rules.findIndex((rule) => rule.id === id)
    if (index < 0) return false
    this.rules.splice(index, 1)
    return true
  }

  /** Takes all rules out and starts the generator again. */
  clear(): void {
    this.rules.length = 0
    this.random = randomFrom(this.seed, 81)
  }

  list(): readonly FaultRule[] {
    return this.rules
  }

  /** The rule that strikes a request, if any. Counts, so it is asked once per request. */
  strike(arrival: Arrival): FaultRule | undefined {
    for (const rule of this.rules) {
      if (!matches(rule, arrival)) continue
      rule.seen += 1
      if (!this.due(rule)) continue
      rule.fired += 1
      return rule
    }
    return undefined
  }

  /** A number in [0, 1) for what a fault leaves to chance. */
  draw(): number {
    return this.random()
  }

  private due({ match, seen, fired }: FaultRule): boolean {
    if (match.times !== undefined && fired >= match.times) return false
    if (match.nth !== undefined && seen !== match.nth) return false
    if (match.every !== undefined && seen % match.every !== 0) return false
    return match.probability === undefined || this.random() < match.probability
  }
}

function matches({ match }: FaultRule, { api, method, path }: Arrival): boolean {
  if (match.api !== undefined && match.api !== api) return false
  if (match.method !== undefined && match.method.toUpperCase() !== method) return false
  return match.path === undefined || pattern(match.path).test(path)
}

function pattern(glob: string): RegExp {
  const escaped = glob.split("*").map((part) => part.replaceAll(/[.*+?^${}()|[\]\\]/g, "\\$&"))
  return new RegExp(`^${escaped.join(".*")}$`)
}

/** What a fault may do to one request. */
interface Struck {
  readonly world: World
  readonly box: FaultBox
  readonly limiter: RateLimiter
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
      const items = on.body.split(`"member_id"`).length - 1
      const bulkStop = rule.keep ?? Math.floor(items / 2)
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
      return on.limiter.rateLimited(on.api)
    case "html":
      if (rule.commit !== false) await on.carryOut()
      return htmlPage(rule.status ?? 200)
    case "truncated":
      return truncated(await on.carryOut())
    case "empty":
      return new Response(null, {
        status: (await on.carryOut()).status,
        headers: { "content-type": "application/json" },
      })
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

function serverError(on: Struck, status = 500): Response {
  const messages: Record<number, string> = { 503: "Service unavailable", 504: "Gateway timeout" }
  const message = messages[status] ?? "Something went wrong"
  if (on.api === "program") return programError(status, codeFor(on, status), message)
  return giftcardError(on.world.settings, unspecified(on.world.settings, status, "INTERNAL", message))
}

function codeFor({ world: { settings } }: Struck, status: number): string {
  if (status === 401) return "unauthorized"
  if (status === 403) return settings.forbiddenCode
  if (status === 404) return "not_found"
  return status < 500 ? "invalid_request" : settings.serverErrorCode
}

type Row = Record<string, unknown>

/** Answers with a page, as a proxy before the service would. */
function htmlPage(status: number): Response {
  const page = "<!doctype html><title>Error</title><h1>The page cannot be displayed</h1>"
  return new Response(page, { status, headers: { "content-type": "text/html; charset=utf-8" } })
}

/** Cuts an answer in the middle; the length still promised is kept for the server. */
async function truncated(response: Response): Promise<Response> {
  const bytes = new Uint8Array(await response.arrayBuffer())
  const half = bytes.slice(0, Math.floor(bytes.length / 2))
  const cut = new Response(half, { status: response.status, headers: response.headers })
  announced.set(cut, bytes.length)
  return cut
}

/** Damages the records of a JSON answer the way the rule says; other answers pass. */
async function damaged(response: Response, rule: FaultRule, box: FaultBox): Promise<Response> {
  if (!(response.headers.get("content-type") ?? "").includes("json")) return response
  const body: unknown = await response.json()
  const data = isRow(body) && "data" in body ? body["data"] : undefined
  const records = (Array.isArray(data) ? data : [data]).filter(isRow)
  const first = records[0]
  if (first !== undefined) {
    const field = rule.field ?? drawnField(rule, first, box)
    for (const record of records) damage(record, field, rule)
  }
  return Response.json(body, { status: response.status })
}

function isRow(value: unknown): value is Row {
  return typeof value === "object" && value !== null && !Array.isArray(value)
}

function drawnField(rule: FaultRule, record: Row, box: FaultBox): string {
  if (rule.kind === "unknown-enum") return "status" in record ? "status" : "type"
  if (rule.kind === "extra-field") return "x_partner_note"
  const names = Object.keys(record).filter((name) => !name.endsWith("id"))
  return names[Math.floor(box.draw() * names.length)] ?? "status"
}

function damage(record: Row, field: string, rule: FaultRule): void {
  const before = record[field]
  if (rule.kind === "missing-field") delete record[field]
  else if (rule.kind === "null-field") record[field] = null
  else if (rule.kind === "wrong-type") record[field] = typeof before === "object" ? 7 : { was: before }
  else record[field] = rule.value ?? (rule.kind === "extra-field" ? "not documented" : "archived_by_partner")
}

/** Sends an answer in pieces spread over some ms. */
async function dripped(
  response: Response,
  ms: number,
  wait: (ms: number, signal?: AbortSignal) => Promise<void>,
  signal: AbortSignal,
): Promise<Response> {
  const bytes = new Uint8Array(await response.arrayBuffer())
  const pieces = Math.max(1, Math.min(20, bytes.length))
  const size = Math.ceil(bytes.length / pieces)
  let sent = 0
  const body = new ReadableStream<Uint8Array>({
    async pull(controller) {
      await wait(Math.ceil(ms / pieces), signal)
      controller.enqueue(bytes.slice(sent, sent + size))
      sent += size
      if (sent >= bytes.length) controller.close()
    },
  })
  return new Response(body, { status: response.status, headers: response.headers })
}
