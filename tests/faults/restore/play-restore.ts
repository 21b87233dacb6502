import type { JobTimes } from "../../../core/deps.ts"
import type { RowRecord } from "../../../core/jobs/job-store.ts"
import type { Clock, Store, Upstream, UpstreamResult } from "../../../core/ports.ts"
import { isHeldOpen } from "../../../core/jobs/job-record.ts"
import { createSandbox } from "../../../sandbox/app.ts"
import { job as jobSchema } from "../../../contract/job.ts"
import { startProcess } from "../in-process.ts"
import type { Life } from "../mortal.ts"
import { dataOf } from "../orders/data-of.ts"
import { linkSandbox } from "../orders/sandbox-link.ts"
import { createRandom } from "../random.ts"
import type { BackedUpStore } from "./backed-up-store.ts"
import { restoreJob, type RestoreKind } from "./restore-kinds.ts"

/** A backup that is restored after more was done. */
export interface RestoreCase {
  readonly kind: RestoreKind
  /** Restores only the store, or the whole data folder. */
  readonly scope: "store" | "folder"
  readonly seed: number
  readonly rows: number
  /** Lag of the history, ms; if positive, the app starts held. */
  readonly lagMs: number
  /** Share of writes that never reach the service: their rows are planned again with a recorded attempt. */
  readonly notSent?: number
}

/** Environment of a restore. */
export interface RestoreGround {
  readonly clock: Clock
  readonly store: BackedUpStore
  readonly times: JobTimes
  /** Timeout of each wait, ms. */
  readonly longestMs: number
  /** Advances time. */
  readonly pass: () => Promise<void>
}

/** Result of a restore. */
export interface RestoreEnd {
  readonly mistakes: readonly string[]
  /** Number of effects at the backup and at the restore. */
  readonly done: readonly [number, number]
  /** Rows planned in the backup whose effect exists: a resend would double each. */
  readonly overtaken: number
  /** How the restore was detected; undefined: not detected. */
  readonly sign: string | undefined
  /** Rows found in the history, rows sent after the release, and rows that a person decided. */
  readonly found: number
  readonly sent: number
  readonly decided: number
}

/** Runs a job, backs up in between, and restores after the job ended or was killed. */
export async function playRestore(played: RestoreCase, ground: RestoreGround): Promise<RestoreEnd> {
  const lives = new Map<string, Life>()
  const open = new Set<Store>()
  try {
    return await play(played, ground, lives, open)
  } finally {
    // A failed run must not keep the process alive.
    for (const life of lives.values()) life.kill()
    await ground.pass()
    await Promise.all([...open].map((store) => store.close()))
    await ground.store.remove()
  }
}

async function play(
  played: RestoreCase,
  ground: RestoreGround,
  lives: Map<string, Life>,
  open: Set<Store>,
): Promise<RestoreEnd> {
  const { clock, times, store: place } = ground
  const random = createRandom(played.seed)
  const faults = createRandom(played.seed)
  const { notSent = 0 } = played
  const sandbox = createSandbox({
    members: 200,
    seed: 7,
    rateLimit: 0,
    giftcardRateLimit: 0,
    seededAt: clock.now(),
    now: () => clock.now(),
    wait: (ms, signal) => clock.sleep(ms, signal),
    settings: { historyLagMs: played.lagMs },
  })
  const link = linkSandbox(sandbox, clock, times.callMs)
  const job = restoreJob(played.kind, sandbox, played.rows, random)
  const marker: { text: string | undefined; copy: string | undefined } = { text: undefined, copy: undefined }
  const calls = played.kind === "award-bulk" ? 8 : played.rows
  const backUpAt = random.integer(0, calls - 1)
  const after = random.next() < 0.5
  /** Usually the job ends before the restore; otherwise its app is killed. */
  const killAt = random.next() < 0.6 ? Infinity : random.integer(backUpAt + 1, calls)
  let writes = 0
  let backedUp: number | undefined
  let backingUp = Promise.resolve()

  async function backUp(): Promise<void> {
    backedUp = sandbox.store.ledger.length
    const copy = async () => {
      // The worst order: a marker older than the store's copy proves nothing.
      marker.copy = marker.text
      await place.backUp()
    }
    backingUp = copy()
    await backingUp
  }

  const upstream: Upstream = {
    async send(call) {
      const isWrite = call.method !== "GET"
      const at = isWrite ? writes++ : -1
      if (at === backUpAt && !after && backedUp === undefined) await backUp()
      if (isWrite && at >= killAt) first.life.kill()
      const isLost = isWrite && faults.next() < notSent
      const outcome: UpstreamResult = isLost
        ? { kind: "not_sent", what: "connection refused", ms: 0, endedAt: clock.now() }
        : await link.send(call)
      if (at === backUpAt && after && backedUp === undefined) await backUp()
      return outcome
    },
  }

  async function start(startHeld: boolean) {
    const store = await place.open()
    open.add(store)
    const restoreMarker = (life: Life) => ({
      read: async () => marker.text,
      write: async (text: string) => {
        if (life.alive) marker.text = text
      },
    })
    return { ...startProcess({ clock, store, upstream }, lives, { times, startHeld, restoreMarker }), store }
  }

  async function until<T>(what: string, look: () => Promise<T | undefined>): Promise<T> {
    for (const end = clock.monotonic() + ground.longestMs; clock.monotonic() < end;) {
      const found = await look()
      if (found !== undefined) return found
      await ground.pass()
    }
    throw new Error(`It never came: ${what}`)
  }

  const first = await start(false)
  const made = dataOf(await first.ask("POST /jobs", { body: job.body }), 201, jobSchema)
  await until("the end of the job, or of its process", async () => {
    if (!first.life.alive) return true
    return (await first.store.jobs.get(made.id))?.state === "done" ? true : undefined
  })
  // Let pending calls of the killed app end.
  for (let turn = 0; turn < 20 || link.pending() > 0; turn += 1) await ground.pass()
  first.life.kill()
  open.delete(first.store)
  await first.store.close()
  if (backedUp === undefined) await backUp()
  await backingUp
  const doneBefore = [backedUp ?? 0, sandbox.store.ledger.length] as const
  await place.restore()
  if (played.scope === "folder") marker.text = marker.copy

  const asleep = await place.open()
  open.add(asleep)
  const planned = await asleep.jobs.rowsIn(made.id, ["planned"], 0, 10_000)
  const overtaken = planned.filter((row) => job.doneFor(row) !== undefined).length
  open.delete(asleep)
  await asleep.close()
  const second = await start(played.lagMs > 0)
  let [sent, decided] = [0, 0]
  let sign: string | undefined
  await until("the end of the restored job", async () => {
    const now = await second.store.jobs.get(made.id)
    if (now === undefined) throw new Error("The job is not in the back-up.")
    sign ??= now.hold?.sign
    if (isHeldOpen(now) && now.hold?.state === "ready") {
      sent = now.counts.planned
      const answer = await second.ask(`POST /jobs/${made.id}/release`, { body: {} })
      if (answer.status !== 200) throw new Error(`It was not continued: ${JSON.stringify(answer.body)}`)
      return undefined
    }
    if (now.state === "done" && now.attention === 0) return true
    if (now.state === "paused") await second.ask(`POST /jobs/${made.id}/resume`, { body: {} })
    if (now.attention > 0 && !isHeldOpen(now)) {
      const { rows } = await second.store.jobs.rows(made.id, { state: "attention", page: 1, perPage: 100 })
      for (const row of rows) decided += (await decide(row)) ? 1 : 0
    }
    return undefined
  })
  // A changed record has no effect that could be linked.
  const isUpdate = played.kind === "order-update" || played.kind === "member-update"
  async function decide(row: RowRecord): Promise<boolean> {
    const id = job.doneFor(row)
    const body =
      id === undefined
        ? { decision: "resend" }
        : { decision: "happened", ...(!isUpdate && { upstream_id: id }) }
    const { status } = await second.ask(`POST /jobs/${made.id}/rows/${row.row}/decision`, { body })
    return status === 200
  }
  await sandbox.settleAll()
  const end = await second.store.jobs.get(made.id)
  const { rows } = await second.store.jobs.rows(made.id, { page: 1, perPage: 10_000 })
  if (end === undefined) throw new Error("The job is gone.")
  const found = rows.filter(({ outcome }) => outcome?.code === "found_after_restore").length
  return { mistakes: job.mistakes(end, rows), done: doneBefore, overtaken, sign, found, sent, decided }
}
