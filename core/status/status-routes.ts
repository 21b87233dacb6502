import { type CopyStatus, holdDecision } from "../../contract/copy.ts"
import { can } from "../../contract/roles.ts"
import { type Api, apis } from "../../contract/response.ts"
import type { AppStatus, Connection, KeyName, KeyTest, Server, ServerStopped } from "../../contract/status.ts"
import { entryOf } from "../audit/audit-log.ts"
import { type CoreContext, route, type Route } from "../context.ts"
import { AppError, conflict, notFound, stored } from "../errors.ts"
import { planById } from "../gateway/upstream-read.ts"
import { success } from "../http.ts"
import { historyLag } from "../jobs/canaries.ts"
import { isBeating, silentMs } from "../jobs/instances.ts"
import { tagForms } from "../jobs/kinds/kind-rules.ts"
import type { UsageRecord } from "../ports.ts"
import { readBody } from "../validation.ts"

export const statusRoutes: readonly Route[] = [
  // Addresses and key ends only for those who may see them.
  route("GET /status", "status.read", [], async (context, request) => {
    const { config, store, clock, budget } = context
    const shown = can(request.user.role, "settings.connections")
    await stored(budget.usage.flush())
    await stored(context.drift.flush())
    const day = await stored(store.usage.since(firstSlot(clock.now())))
    const status: AppStatus = {
      version: config.version,
      environment: config.environment,
      started_at: new Date(config.startedAt).toISOString(),
      store: store.kind,
      connections: apis.map((api) => connectionOf(context, api, day, shown)),
      budgets: await stored(budget.view(request.user.id)),
      drift: await stored(store.drift.list()),
      history: await stored(historyLag(store.jobs, tagForms)),
      beta_notice: config.apis.program !== null,
      copy: await stored(copyOf(context)),
      servers: can(request.user.role, "settings.servers") ? await stored(serversOf(context)) : null,
    }
    return success(status)
  }),
  // One cheap read, past the cache: no endpoint says what a key may do, and nothing is probed by a write.
  route("POST /status/{api}/test", "settings.connections", [], async (context, request, params) => {
    const api = apis.find((each) => each === params["api"])
    if (api === undefined) throw notFound("There’s no service with this name.")
    const began = context.clock.monotonic()
    const { signal, user: person } = request
    const plan = api === "program" ? oneMember : await someCard(context)
    const problem = await context.reads.read(plan, { person, fresh: true, signal }).then(
      () => null,
      (error: unknown) => {
        if (!(error instanceof AppError)) throw error
        const status = error.details?.upstream_status
        if (status === 401 || status === 403) return `The key was refused (${status}). ${error.message}`
        // Any other answer of the service itself shows that it was reached and knows the key.
        const isAnswer = status !== undefined && status < 500 && error.code !== "unreadable_answer"
        return isAnswer ? null : error.message
      },
    )
    const ms = Math.round(context.clock.monotonic() - began)
    const waiting = context.caller.keyInUse(api) === "current"
    const next_key = waiting ? await context.caller.tryNextKey(api) : null
    return success({ problem, ms, next_key } satisfies KeyTest)
  }),
  // Only a person can know this of a server that says nothing any more, such as one in a container that is gone.
  route("POST /status/servers/{id}/stopped", "settings.servers", [], async (context, request, params) => {
    const { audit, events, store } = context
    const server = (await stored(serversOf(context))).find(({ id }) => id === params["id"])
    if (server === undefined) throw notFound("This server has stopped by itself meanwhile. Nothing was done.")
    const { id, name, host, rows } = server
    const act = {
      action: "store.server_stopped",
      on: { kind: "server", id, label: name ?? host },
      outcome: "done",
      note: `${rows} open ${rows === 1 ? "row" : "rows"} of it`,
    } as const
    const ending = audit.together(
      () => entryOf(request, act),
      (entry) => store.instances.end(id, silentMs, entry),
    )
    if (!(await stored(ending)))
      throw conflict(
        "This server gave a sign of life just now, so it still runs. Stop it first. Nothing was done.",
      )
    events.publish({ topic: "status", id: "servers" })
    return success({ rows } satisfies ServerStopped)
  }),
  // Nothing is dropped before a person knows why so much is missing.
  route("POST /status/copy/held", "settings.servers", [], async (context, request) => {
    const { kind = "members", decision } = readBody(request.body, holdDecision)
    const held = context.sync && (await stored(context.sync[kind].decide(decision)))
    if (held === undefined)
      throw conflict("The local copy waits for no decision any more. Nothing was done. Reload the page.")
    await context.audit.recordDone(request, {
      action: decision === "accept" ? "copy.accept" : "copy.wait",
      on: { kind: "server", id: "copy", label: "Local copy" },
      note: `${held.missing} of ${held.live} ${kind} were missing`,
    })
    return success(await stored(copyOf(context)))
  }),
  route("GET /status/budget", "status.read", [], async ({ budget }, request) => {
    return success(await stored(budget.view(request.user.id)))
  }),
]

async function copyOf({ sync }: CoreContext): Promise<CopyStatus> {
  return sync === undefined
    ? { mode: "off", members: null, orders: null, rewards: null, ledgers: null }
    : sync.status()
}

async function serversOf({ self, store }: CoreContext): Promise<Server[]> {
  const now = await store.jobs.now()
  const running = (await store.instances.list()).filter(({ stoppedAt }) => stoppedAt === null)
  return Promise.all(
    running.map(async ({ id, beatAt, process }) => ({
      id,
      name: process["instance"] ?? null,
      host: process["host"] ?? null,
      process_id: process["pid"] ?? null,
      seen_at: new Date(beatAt).toISOString(),
      state: id === self ? "this" : isBeating({ beatAt }, now) ? "running" : "silent",
      rows: await store.instances.openRows(id),
    })),
  )
}

const oneMember = planById("GET /members", {}, { page: 1, per_page: 1 })
/** No card has this id: that there is none is an answer that only a working key gets. */
const noCard = "laurel-key-test"

/** A card that is known to exist, else one that cannot. */
async function someCard({ clock, store }: CoreContext) {
  const { cards } = await stored(store.cards.list({ page: 1, per_page: 1, now: clock.now() }))
  return planById("GET /giftcard/cards/{id}", { id: cards[0]?.id ?? noCard })
}

const slotMs = 1_800_000
const slots = 48

function connectionOf(
  { caller, config, clock, monitor }: CoreContext,
  api: Api,
  usage: readonly UsageRecord[],
  shown: boolean,
): Connection {
  const own = config.apis[api]
  const { state, ...health } = monitor.health(api)
  const keys = shown && own !== null ? keysOf(own, caller.keyInUse(api)) : { key_end: null, rotation: null }
  return {
    api,
    state: own === null ? "not_connected" : state === "untried" ? lastState(api, usage) : state,
    base_url: shown ? (own?.baseUrl ?? null) : null,
    ...keys,
    rate_limit: own?.rateLimit ?? null,
    ...health,
    day: dayOf(api, usage, clock.now()),
  }
}

function keysOf({ keyEnd, nextKeyEnd }: NonNullable<CoreContext["config"]["apis"][Api]>, in_use: KeyName) {
  if (nextKeyEnd === undefined) return { key_end: keyEnd, rotation: null }
  const [key_end, other_end] = in_use === "next" ? [nextKeyEnd, keyEnd] : [keyEnd, nextKeyEnd]
  return { key_end, rotation: { in_use, other_end } }
}

/** How a service did in the minute of its last call, before this start or by another instance. */
function lastState(api: Api, usage: readonly UsageRecord[]): Connection["state"] {
  const own = usage.filter((record) => record.api === api)
  const newest = own.reduce((at, { minute, requests }) => (requests > 0 ? Math.max(at, minute) : at), 0)
  // How a call ended may have been counted a minute later than the call.
  const last = newest === 0 ? [] : own.filter(({ minute }) => minute >= newest)
  const sum = (of: "requests" | "slow" | "trouble") => last.reduce((total, each) => total + each[of], 0)
  if (last.length === 0) return "untried"
  // No answer, or a key that was refused: only counted, so not told apart.
  if (sum("trouble") >= sum("requests")) return "failing"
  return sum("slow") * 2 > sum("requests") ? "slow" : "answering"
}

function firstSlot(now: number): number {
  return Math.floor(now / slotMs) * slotMs - (slots - 1) * slotMs
}

function dayOf(api: Api, usage: readonly UsageRecord[], now: number): Connection["day"] {
  const first = firstSlot(now)
  const day = Array.from({ length: slots }, (_, at) => ({
    from: new Date(first + at * slotMs).toISOString(),
    calls: 0,
    slow: 0,
    trouble: 0,
  }))
  for (const record of usage) {
    const slot = day[Math.floor((record.minute - first) / slotMs)]
    if (slot === undefined || record.api !== api) continue
    slot.calls += record.requests
    slot.slow += record.slow
    slot.trouble += record.trouble
  }
  return day
}
