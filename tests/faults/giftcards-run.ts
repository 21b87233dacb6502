import { existsSync } from "node:fs"
import { fileURLToPath } from "node:url"
import * as z from "zod/mini"
import { registeredCard, type RegisteredCard } from "../../contract/cards.ts"
import { exportTicket } from "../../contract/response.ts"
import type { Job } from "../../contract/job.ts"
import { limits } from "../../contract/limits.ts"
import type { LoggedRequest, Sandbox } from "../../sandbox/app.ts"
import { dataOf } from "../support/person.ts"
import { recordEvents } from "./event-texts.ts"
import { startFleet, type Fleet, type FleetApp } from "./fleet.ts"
import { giftcardMistakes } from "./giftcard-counts.ts"
import { giftcardFaults } from "./fault-mix.ts"
import { giftcardRows, sameReferenceJobs } from "./giftcard-rows.ts"
import { readRows, submitJob, untilDone } from "./job-client.ts"
import { startKills } from "./kills.ts"
import { createRandom, type Random } from "./random.ts"
import { shortTimes } from "./scenario.ts"
import { filesOf, findSecrets, secretsOf, tablesOf, type Scanned } from "./secret-scan.ts"
import { until } from "./until.ts"

/** Options of a gift-card run. */
export interface GiftcardRun {
  readonly seed: number
  readonly rows: number
  /** Share of requests that meet a fault, from 0 to 1. */
  readonly share: number
  readonly kills: number
  readonly instances: 1 | 2
  /** URL of an empty PostgreSQL database; SQLite by default. */
  readonly databaseUrl?: string
  /** Number of links revealed afterwards. */
  readonly reveals: number
  readonly withinMs: number
}

/** Result of a run. */
export interface GiftcardEnd {
  readonly lines: readonly string[]
  readonly missed: readonly string[]
  readonly job: Job
  readonly kills: number
}

/** A longer call timeout than elsewhere: each call that a busy machine cuts off doubles the pause before the next. */
const times = { ...shortTimes, lease: 6, call: 2 }
const callMs = times.call * 1000
const fundCents = 1_000_000_000
const bundleFolder = fileURLToPath(new URL("../../dist/app", import.meta.url))

/**
 * Issues cards under faults, kills and slow responses, and compares the service's ledger with Laurel: exactly the
 * requested cards, to the cent, each e-mailed once, all registered, and no secret leaked.
 */
export async function runGiftcards(run: GiftcardRun): Promise<GiftcardEnd> {
  const random = createRandom(run.seed)
  const scanned: Scanned[] = []
  const started = await startFleet({
    instances: run.instances,
    times,
    ...(run.databaseUrl !== undefined && { databaseUrl: run.databaseUrl }),
    sandbox: { seed: run.seed, fundCents },
  })
  const fleet: Fleet = { ...started, apps: started.apps.map((app) => withScannedLog(app, scanned)) }
  const { sandbox } = fleet
  const ask: Fleet["ask"] = async (path, how) => {
    const response = await fleet.ask(path, how)
    scanned.push({
      where: `the answer of ${path}`,
      text: JSON.stringify([response.body, [...response.headers]]),
    })
    return response
  }
  const sent = new Map<string, Set<string>>()
  const keep = keepSent(sandbox.requests, sent)
  const timer = setInterval(keep, 250)
  const recorder = recordEvents(fleet.apps)
  try {
    for (const fault of giftcardFaults(run.share, callMs)) sandbox.faults.add(fault)
    const from = performance.now()
    const rows = giftcardRows(sandbox, run.rows, random)
    const made = await submitJob(ask, { kind: "giftcard", rows })
    const others = await Promise.all(
      sameReferenceJobs().map((same) => submitJob(ask, { kind: "giftcard", rows: same })),
    )
    const every = Math.max(1, Math.floor(run.rows / (2 * Math.max(1, run.kills))))
    const kills = startKills(fleet, run.kills, every, random)
    const endSpells = startSlowSpells(sandbox, callMs, random)
    const job = await untilDone(ask, made.id, run.withinMs)
    for (const { id } of others) await untilDone(ask, id, run.withinMs)
    const ms = performance.now() - from
    endSpells()
    await kills.stop()
    await sandbox.settleAll()
    keep()
    sandbox.faults.clear()
    const said = await readRows(ask, job.id)
    for (const { id } of others) said.push(...(await readRows(ask, id)))
    const confirmed = said.filter(({ state }) => state === "confirmed").length
    const register = await until("the full register", 60_000, () => readRegister(ask, confirmed))
    const mistakes = giftcardMistakes(sandbox, said, register, sent, fundCents)
    mistakes.push(...(await revealSome(fleet, register.slice(0, run.reveals))))
    await ask("/audit?per_page=100")
    await readExport(ask)
    const events = await recorder.stop()
    scanned.push(...events)
    const refused = said.filter(({ outcome }) => outcome?.code === "reference_taken").length
    if (refused < others.length) mistakes.push(`only ${refused} rows were refused for their reference`)
    if (!events.some(({ text }) => text.includes('"cards"')))
      mistakes.push("no event about cards was received")
    for (const app of fleet.apps) scanned.push({ where: "the log", text: app.output() })
    scanned.push(...filesOf(fleet.dataDir))
    if (run.databaseUrl !== undefined) scanned.push(...(await tablesOf(run.databaseUrl)))
    if (!scanned.some(({ where, text }) => isStore(where) && text.includes(job.batch_code)))
      mistakes.push("the scan has not seen what the store keeps")
    const secrets = await secretsOf(
      sandbox,
      [...sent.values()].flatMap((bodies) => [...bodies]),
    )
    const bundle = existsSync(bundleFolder) ? [...filesOf(bundleFolder)] : []
    const found = [...findSecrets(secrets, scanned), ...findSecrets(secrets, bundle, { code: true })]
    const lines = [
      `gift cards, seed ${run.seed}: ${job.counts.confirmed} of ${run.rows} confirmed, ${refused} rows refused for their reference, ${sandbox.store.cards.outbox.length} e-mails`,
      `  ${(ms / 1000).toFixed(1)} s, ${kills.count} kills, ${run.instances} apps, ${sandbox.requests.count} requests, ${JSON.stringify(job.counts)}`,
      `  ${secrets.size} secrets looked for in ${scanned.length} texts and ${bundle.length} files of the bundle: ${found.length} found`,
    ]
    return { lines, missed: [...mistakes, ...found].slice(0, 30), job, kills: kills.count }
  } catch (error) {
    const logs = fleet.apps.map((app) => app.output().split("\n").slice(-15).join("\n"))
    throw new Error(`gift cards, seed ${run.seed}: ${String(error)}\n${logs.join("\n")}`, { cause: error })
  } finally {
    clearInterval(timer)
    await recorder.stop()
    await started.close()
  }
}

/** Sometimes delays an issue past Laurel's call timeout, so that a retry meets the first request in progress. */
function startSlowSpells(sandbox: Sandbox, callMs: number, random: Random): () => void {
  const timer = setInterval(() => {
    sandbox.settings.giftcardProcessingMs = random.next() < 0.2 ? callMs + 500 : 0
  }, 300)
  return () => {
    clearInterval(timer)
    sandbox.settings.giftcardProcessingMs = 0
  }
}

function isStore(where: string): boolean {
  return where.startsWith("laurel.db") || where.startsWith("table ")
}

/** An app whose log is scanned also after a kill. */
function withScannedLog(app: FleetApp, scanned: Scanned[]): FleetApp {
  return {
    url: app.url,
    get running() {
      return app.running
    },
    async kill() {
      scanned.push({ where: "the log of a killed server", text: app.output() })
      await app.kill()
    },
    stop: () => app.stop(),
    start: () => app.start(),
    freeze: () => app.freeze(),
    thaw: () => app.thaw(),
    output: () => app.output(),
  }
}

/** Collects the bodies of all issues by key: the sandbox's log drops the oldest. */
function keepSent(requests: { readonly entries: readonly LoggedRequest[] }, sent: Map<string, Set<string>>) {
  let done = 0
  return () => {
    for (const { seq, method, api, body, fault } of requests.entries) {
      if (seq <= done) continue
      done = seq
      if (method !== "POST" || api !== "giftcard" || fault === "429") continue
      const key = z.looseObject({ idempotencyKey: z.string() }).parse(JSON.parse(body)).idempotencyKey
      sent.set(key, (sent.get(key) ?? new Set()).add(body))
    }
  }
}

async function readRegister(ask: Fleet["ask"], count: number): Promise<RegisteredCard[] | undefined> {
  const cards: RegisteredCard[] = []
  for (let page = 1; ; page += 1) {
    const some = dataOf(
      await ask(`/cards?page=${page}&per_page=${limits.perPage.max}`),
      z.array(registeredCard),
    )
    cards.push(...some)
    if (some.length < limits.perPage.max) return cards.length >= count ? cards : undefined
  }
}

/** Reads every page of an export, as Laurel's page does. */
async function readExport(ask: Fleet["ask"]): Promise<void> {
  const made = await ask("/exports", { method: "POST", body: { kind: "cards" } })
  const { id } = dataOf(made, exportTicket)
  const headers = { "X-Laurel-Export": id }
  for (let page = 1; ; page += 1) {
    const some = await ask(`/cards?page=${page}&per_page=${limits.perPage.max}`, { headers })
    if (dataOf(some, z.array(registeredCard)).length < limits.perPage.max) return
  }
}

/** Reveals links; these responses are not scanned. */
async function revealSome(fleet: Fleet, cards: readonly RegisteredCard[]): Promise<string[]> {
  const mistakes: string[] = []
  for (const { id } of cards) {
    const how = { method: "POST", body: { reason: "It never arrived" } }
    const { status, body } = await fleet.ask(`/cards/${id}/reveal`, how)
    if (status === 200 && /"redeem_url":"https:/.test(JSON.stringify(body))) continue
    // A refusal carries no link, so it may be printed.
    mistakes.push(`revealing ${id} answered ${status} ${status === 200 ? "" : JSON.stringify(body)}`)
  }
  return mistakes
}
