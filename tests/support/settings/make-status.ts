import type { BudgetView, Connection, AppStatus, DriftRow } from "../../../contract/status.ts"

/** Time of the fake status. */
const now = Date.parse("2026-11-21T00:30:00Z")
const before = (minutes: number) => new Date(now - minutes * 60_000).toISOString()

/** A healthy connection. */
export function makeConnection(changes: Partial<Connection> = {}): Connection {
  return {
    api: "program",
    state: "answering",
    base_url: "https://api.program.test/v1",
    key_end: "7Q2f",
    rotation: null,
    rate_limit: 60,
    half_within_ms: 210,
    most_within_ms: 640,
    last_trouble: null,
    seen: { read: "working", write: "unseen" },
    day: Array.from({ length: 48 }, (_, at) => ({
      from: before((48 - at) * 30),
      calls: 2,
      slow: 0,
      trouble: 0,
    })),
    ...changes,
  }
}

/** A mostly unused budget. */
export function makeBudget(changes: Partial<BudgetView> = {}): BudgetView {
  return {
    api: "program",
    limit: 60,
    left: 42,
    left_for_jobs: 32,
    next_in_ms: 0,
    waiting: 0,
    longest_wait_ms: 1800,
    refused: 0,
    minutes: Array.from({ length: 30 }, (_, at) => ({ at: before(29 - at), people: 3, jobs: 2, sync: 0 })),
    used_by: [{ name: "Priya Nair", requests: 90 }],
    ...changes,
  }
}

/** A field that differs from its document. */
export function makeDrift(changes: Partial<DriftRow> = {}): DriftRow {
  return {
    api: "program",
    operation: "GET /members",
    field: "status",
    kind: "other",
    seen: 1127,
    first_at: before(60 * 24 * 20),
    last_at: before(2),
    ...changes,
  }
}

/** A healthy status. */
export function makeStatus(changes: Partial<AppStatus> = {}): AppStatus {
  return {
    version: "1.0.0",
    environment: "sandbox",
    started_at: before(60),
    store: "sqlite",
    connections: [
      makeConnection(),
      makeConnection({ api: "giftcard", base_url: "https://cards.test/api/v1/external", key_end: "c81D" }),
    ],
    budgets: [makeBudget()],
    drift: [],
    history: null,
    beta_notice: true,
    copy: { mode: "off", members: null, orders: null, rewards: null, ledgers: null },
    servers: null,
    ...changes,
  }
}
