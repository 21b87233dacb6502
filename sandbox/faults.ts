import * as z from "zod/mini"
import { type Api, giftcardError, programError, unspecified } from "./http.ts"
import type { RateLimiter } from "./rate-limiter.ts"
import { type Random, randomFrom, seedNumber } from "./seed/random.ts"
import type { Call, World } from "./world.ts"

/**
 * The connection was destroyed before an answer. `serve.ts` destroys the socket; in a browser or a test
 * `fetch` rejects with a network error.
 */
export class ConnectionDropped extends Error {
  override readonly name = "ConnectionDropped"
  override readonly message = "The sandbox dropped the connection."
  /** No connection was made at all: nothing left the client. */
  readonly refused: boolean

  constructor(refused = false) {
    super()
    this.refused = refused
  }
}

/** Never answers; rejects with the signal's reason when the request is given up. */
async function hangUntil(signal: AbortSignal): Promise<never> {
  const { promise, resolve } = Promise.withResolvers<void>()
  signal.addEventListener("abort", () => resolve(), { once: true })
  if (!signal.aborted) await promise
  throw signal.reason
}

const announced = new WeakMap<Response, number>()

/** How many bytes a response promises, if that is not how many it has. */
export function announcedLength(response: Response): number | undefined {
  return announced.get(response)
}

const failures = ["before-commit-500", "after-commit-500", "drop-before", "drop-after", "429"] as const
const states = ["unreachable", "empty-fund", "changed-before"] as const
const oddities = [
  "hang",
  "slow",
  "drip",
  "html",
  "truncated",
  "empty",
  "partial-bulk",
  "other-record",
] as const
const delays = ["late-commit", "lagging-history"] as const
const damages = ["unknown-enum", "missing-field", "extra-field", "null-field", "wrong-type"] as const
const faultKind = z.enum([...failures, ...states, ...oddities, ...delays, ...damages])
/** What a fault does; docs/sandbox.md describes each. */
export type FaultKind = z.output<typeof faultKind>

const count = z.int().check(z.minimum(1))
/** The input of a fault. */
export const faultInput = z.strictObject({
  id: z.optional(z.string()),
  /** Which requests it meets; everything left out meets all. */
  match: z._default(
    z.strictObject({
      api: z.optional(z.enum(["program", "giftcard"])),
      method: z.optional(z.string()),
      /** Path as it is sent; `*` is a wildcard: `/v1/members/*`. */
      path: z.optional(z.string()),
      nth: z.optional(count),
      every: z.optional(count),
      /** Only so often, from 0 to 1; drawn from the seeded generator. */
      probability: z.optional(z.number().check(z.minimum(0), z.maximum(1))),
      times: z.optional(count),
    }),
    {},
  ),
  kind: faultKind,
  status: z.optional(z.int().check(z.minimum(200), z.maximum(599))),
  /** How long, for "slow", "drip", "late-commit" and "lagging-history". */
  ms: z.optional(z.int().check(z.minimum(0))),
  /** How a "partial-bulk" or "late-commit" is answered. */
  answer: z.optional(z.enum(["error", "ok", "drop", "hang"])),
  /** Whether the request is carried out; the default depends on the kind. */
  commit: z.optional(z.boolean()),
  /** How many items of a bulk award are booked; half of them by default. */
  keep: z.optional(z.int().check(z.minimum(0))),
  field: z.optional(z.string()),
  value: z.optional(z.string()),
})

export type FaultInput = z.input<typeof faultInput>

/** A fault in the box, with how many requests matched and how often it struck. */
interface FaultRule extends z.output<typeof faultInput> {
  readonly id: string
  seen: number
  fired: number
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

  add(input: FaultInput): FaultRule {
    this.count += 1
    const parsed = faultInput.parse(input)
    const rule: FaultRule = { ...parsed, id: parsed.id ?? `fault_${this.count}`, seen: 0, fired: 0 }
    this.rules.push(rule)
    return rule
  }

  remove(id: string): boolean {
    const index = this.rules.findIndex((rule) => rule.id === id)
    if (index < 0) return false
    this.rules.splice(index, 1)
    return true
  }

  clear(): void {
    this.rules.length = 0
    this.random = randomFrom(this.seed, 81)
  }

  list(): readonly FaultRule[] {
    return this.rules
  }

  /** The rule that applies to a request, if any. It counts matches, so call it once per request. */
  strike(arrival: { api: Api; method: string; path: string }): FaultRule | undefined {
    const rule = this.rules.find((one) => {
      if (!matches(one, arrival)) return false
      one.seen += 1
      return this.due(one)
    })
    if (rule !== undefined) rule.fired += 1
    return rule
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

function matches({ match }: FaultRule, arrival: { api: Api; method: string; path: string }): boolean {
  const { api = arrival.api, method = arrival.method, path = "*" } = match
  const pattern = path.replaceAll(/[.+?^${}()|[\]\\]/g, String.raw`\$&`).replaceAll("*", ".*")
  const isMeant = api === arrival.api && method.toUpperCase() === arrival.method
  return isMeant && new RegExp(`^${pattern}$`).test(arrival.path)
}

/** What a fault may do to one request. */
interface Struck {
  readonly world: World
  readonly box: FaultBox
  readonly limiter: RateLimiter
  readonly api: Api
  readonly path: string
  readonly body: string
  readonly signal: AbortSignal
  carryOut(changes?: Partial<Call>): Promise<Response>
  carryOutLater(ms: number): void
  /** Answers a GET of another path. */
  read(path: string): Promise<Response>
}

type Fault = (rule: FaultRule, on: Struck) => Response | Promise<Response>

/** What each kind of fault does; the kinds without an entry damage the response. */
const faults: Partial<Record<FaultRule["kind"], Fault>> = {
  "before-commit-500": (rule, on) => serverError(on, rule.status),
  async "after-commit-500"(rule, on) {
    await on.carryOut()
    return serverError(on, rule.status)
  },
  async "partial-bulk"(rule, on) {
    const items = on.body.split(`"member_id"`).length - 1
    const bulkStop = rule.keep ?? Math.floor(items / 2)
    return answerAs(rule, on, await on.carryOut({ bulkStop }))
  },
  "drop-before"() {
    throw new ConnectionDropped()
  },
  async "drop-after"(_, on) {
    await on.carryOut()
    throw new ConnectionDropped()
  },
  unreachable() {
    throw new ConnectionDropped(true)
  },
  "empty-fund": (_, on) => on.carryOut({ noFund: true }),
  "changed-before"(_, on) {
    changeElsewhere(on)
    return on.carryOut()
  },
  async hang(rule, on) {
    if (rule.commit === true) await on.carryOut()
    return hangUntil(on.signal)
  },
  slow,
  drip: async (rule, on) => dripped(await on.carryOut(), rule.ms ?? 1000, on),
  "429": (_, on) => on.limiter.rateLimited(on.api),
  async html(rule, on) {
    if (rule.commit !== false) await on.carryOut()
    return htmlPage(rule.status ?? 200)
  },
  truncated: async (_, on) => truncated(await on.carryOut()),
  async empty(_, on) {
    const { status } = await on.carryOut()
    return new Response(null, { status, headers: { "content-type": "application/json" } })
  },
  async "other-record"(rule, on) {
    await on.carryOut()
    return on.read(pathOfOther(on.path, rule.value))
  },
  "late-commit"(rule, on) {
    on.carryOutLater(rule.ms ?? 5000)
    return answerAs(rule, on, undefined)
  },
  "lagging-history": (rule, on) => on.carryOut({ lagMs: rule.ms ?? 5000, hideMs: rule.ms ?? 5000 }),
}

/** Answers a request that a fault strikes. Throws ConnectionDropped, or the signal's reason after a hang. */
export async function runFault(rule: FaultRule, on: Struck): Promise<Response> {
  const fault = faults[rule.kind]
  return fault === undefined ? damaged(await on.carryOut(), rule, on.box) : fault(rule, on)
}

/** The same path with another record's id; without one, that of a record that cannot be there. */
function pathOfOther(path: string, id = "other"): string {
  return path.replace(/(?<=\/(?:members|orders|rewards|cards)\/)[^/]+/, encodeURIComponent(id))
}

/** Changes the member or the order that a request names, right before it. */
function changeElsewhere({ world: { store, options }, path }: Struck): void {
  const id = path.split("/").at(-1) ?? ""
  const [member, order] = [store.members.get(id), store.orders.get(id)]
  const updated = options.now()
  const mark = " (moved)"
  if (member !== undefined) {
    const before = member.company ?? ""
    const company = before.endsWith(mark) ? before.slice(0, -mark.length) : before + mark
    store.members.put({ ...member, company, updated })
  }
  if (order !== undefined) {
    const digits = String(updated % 1_000_000_000).padStart(9, "0")
    store.orders.put({ ...order, tracking: digits, carrier: "TNT" })
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

function serverError({ api, world: { settings } }: Struck, status = 500): Response {
  const messages: Record<number, string> = { 503: "Service unavailable", 504: "Gateway timeout" }
  const message = messages[status] ?? "Something went wrong"
  if (api === "giftcard") return giftcardError(settings, unspecified(status, message))
  const codes: Record<number, string> = { 401: "unauthorized", 403: "forbidden", 404: "not_found" }
  const other = status < 500 ? "invalid_request" : "server_error"
  return programError(status, codes[status] ?? other, message)
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
  const data = isRow(body) ? body["data"] : undefined
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
  const [outer = "", ...inner] = field.split(".")
  const nested = inner.length > 0 ? record[outer] : undefined
  if (isRow(nested)) return damage(nested, inner.join("."), rule)
  const before = record[field]
  if (rule.kind === "missing-field") delete record[field]
  else if (rule.kind === "null-field") record[field] = null
  else if (rule.kind === "wrong-type") record[field] = typeof before === "object" ? 7 : { was: before }
  else record[field] = rule.value ?? (rule.kind === "extra-field" ? "not documented" : "archived_by_partner")
}

/** Sends an answer in pieces spread over some ms. */
async function dripped(response: Response, ms: number, { world, signal }: Struck): Promise<Response> {
  const bytes = new Uint8Array(await response.arrayBuffer())
  const pieces = Math.max(1, Math.min(20, bytes.length))
  const size = Math.ceil(bytes.length / pieces)
  let sent = 0
  const body = new ReadableStream<Uint8Array>({
    async pull(controller) {
      await world.options.wait(Math.ceil(ms / pieces), signal)
      controller.enqueue(bytes.slice(sent, sent + size))
      sent += size
      if (sent >= bytes.length) controller.close()
    },
  })
  return new Response(body, { status: response.status, headers: response.headers })
}
