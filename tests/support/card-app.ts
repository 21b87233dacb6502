import type { Job } from "../../contract/job.ts"
import type { RegisteredCard } from "../../contract/cards.ts"
import type { Role } from "../../contract/roles.ts"
import type { ApiResponse } from "../../core/http.ts"
import type { RowRecord } from "../../core/jobs/job-store.ts"
import { createSandbox, type Sandbox } from "../../sandbox/app.ts"
import type { SandboxOptions } from "../../sandbox/config.ts"
import { createTestKit, type TestKit, type KitOptions } from "./test-kit.ts"
import { createFakeClock } from "./fake-clock.ts"
import { createSandboxUpstream } from "../../src/demo/sandbox-upstream.ts"

/** A gift-card row as the form sends it. */
export const cardRow = {
  member: { email: "ana.silva@coastalclimate.com.au", firstname: "Ana", lastname: "Silva" },
  denomination: 50,
  cardId: "card_tradevisa",
}

/** An app that processes jobs over an in-process sandbox, on a clock that the test advances. */
export interface CardApp extends TestKit {
  readonly sandbox: Sandbox
  /** Creates a gift-card job. */
  readonly issue: (
    rows: readonly unknown[],
    request?: { readonly role?: Role; readonly key?: string },
  ) => Promise<ApiResponse>
  /** Creates a job and advances the clock until it is done, paused or cancelled. */
  readonly carryOut: (rows: readonly unknown[]) => Promise<CarriedOut>
  /** Advances the clock until an existing job is done, paused or cancelled. */
  readonly untilStill: (id: string) => Promise<CarriedOut>
  /** Cards issued since the sandbox was seeded. */
  readonly issued: () => {
    readonly id: string
    readonly amount: number
    readonly externalRef: string | null
  }[]
  /** Bodies of the issue requests, oldest first. */
  readonly sent: () => string[]
  readonly register: (query?: string) => Promise<RegisteredCard[]>
  readonly stop: () => Promise<void>
}

/** A job and its rows after the engine stopped working on them. */
interface CarriedOut {
  readonly job: Job
  readonly rows: RowRecord[]
}

/** Time limit of a job, ms of the fake clock. */
const longestMs = 3_600_000
const restMs = 30_000
const still: ReadonlySet<string> = new Set(["done", "paused", "cancelled"])

export function createCardApp(
  sandboxOptions: Partial<SandboxOptions> = {},
  options: KitOptions = {},
): CardApp {
  const clock = createFakeClock()
  const sandbox = createSandbox({
    members: 200,
    rateLimit: 0,
    giftcardRateLimit: 0,
    now: () => clock.now(),
    wait: (ms, signal) => clock.sleep(ms, signal),
    ...sandboxOptions,
  })
  const upstream = createSandboxUpstream(sandbox, clock, 12_000)
  const kit = createTestKit({ clock, upstream, rateLimit: 100_000, ...options })
  kit.app.start()

  const issue: CardApp["issue"] = (rows, { role = "manager", key = crypto.randomUUID() } = {}) =>
    kit.ask("POST /jobs", {
      role,
      body: { kind: "giftcard", rows },
      headers: { "idempotency-key": key },
    })
  const dataOf = <T>(answer: ApiResponse) => (answer.body as { data: T }).data

  const untilStill: CardApp["untilStill"] = async (id) => {
    // A job changes with an event: without one, it is read only now and then.
    let seen = -1
    for (const end = clock.monotonic() + longestMs; ; await clock.advance(500)) {
      if (kit.events.length === seen && clock.monotonic() % restMs !== 0 && clock.monotonic() <= end) continue
      seen = kit.events.length
      const job = dataOf<Job>(await kit.ask(`GET /jobs/${id}`))
      if (still.has(job.state) || clock.monotonic() > end) {
        const { rows } = await kit.store.jobs.rows(id, { page: 1, perPage: 10_000 })
        return { job, rows }
      }
    }
  }

  return {
    ...kit,
    sandbox,
    issue,
    untilStill,
    async carryOut(rows) {
      const made = await issue(rows)
      if (made.status !== 201) throw new Error(JSON.stringify(made.body))
      return untilStill(dataOf<Job>(made).id)
    },
    issued: () => sandbox.store.ledger.flatMap((effect) => (effect.kind === "card" ? [effect] : [])),
    sent: () =>
      sandbox.requests.entries
        .filter(({ method, api }) => method === "POST" && api === "giftcard")
        .map(({ body }) => body),
    register: async (query = "") => dataOf<RegisteredCard[]>(await kit.ask(`GET /cards${query}`)),
    stop: () => kit.app.stop(),
  }
}
