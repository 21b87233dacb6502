import type { Report } from "../../../contract/reports.ts"
import type { Role } from "../../../contract/roles.ts"
import { synced } from "../members/made-up-list.ts"
import { jobView } from "../job-views.ts"
import { ordersServer } from "../orders/open-orders.tsx"
import { sessionOf, type Handlers } from "../test-app.tsx"

const page = (rows: readonly unknown[], total = rows.length) =>
  Response.json({ success: true, data: rows, meta: { page: 1, per_page: 100, total } })

/** Counts of the local copy. */
const facets = (statuses: readonly [string, number][], tiers: readonly [string, number][]) => {
  const facet = (values: readonly [string, number][]) => values.map(([value, count]) => ({ value, count }))
  const total = statuses.reduce((sum, [, count]) => sum + count, 0)
  const data = {
    total,
    statuses: facet(statuses),
    tiers: facet(tiers),
    companies: [],
    metadata_keys: [],
    field_values: [],
  }
  return Response.json({
    success: true,
    data: { ...data, points: { sum: 0, without: 0 } },
    meta: synced,
  })
}

/** A pending order, `days` old. */
const order = (id: string, days: number, fields: object = {}) => ({
  order_id: id,
  member_id: "mem_ana",
  reward_id: "rew_q",
  reward_name: "Weber Baby Q",
  status: "pending",
  created_at: new Date(Date.now() - days * 86_400_000 - 60_000).toISOString(),
  ...fields,
})

/** A job with one conflict row. */
export const jobNeedingDecision = jobView({
  id: "J-7",
  title: "Q3 installer bonus",
  state: "done",
  phase: "idle",
  counts: { confirmed: 2, conflict: 1 },
  attention: 1,
  created_at: "2026-11-20T23:15:00Z",
  created_by: { id: "usr_helen", name: "Helen Park" },
  mode: "single",
  points: { total: 2250, confirmed: 1500 },
})

const ana = {
  id: "mem_ana",
  first_name: "Ana",
  last_name: "Silva",
  company: "Coastal Climate",
  status: "active",
  tier: "Gold",
  created_at: "2026-11-12T00:00:00Z",
}

/** A day of the points report. */
export const dayRow = (group: string, awarded: number, redeemed = 0) => ({
  group,
  label: group,
  values: { awarded, redeemed },
  before: null,
})

/** The points report of some days, from the local copy. */
export function dayReport(rows: readonly ReturnType<typeof dayRow>[]): Report {
  const sum = (name: "awarded" | "redeemed") => rows.reduce((total, { values }) => total + values[name], 0)
  const total = { awarded: sum("awarded"), redeemed: sum("redeemed") }
  const none = { period: null, before: null, total_before: null, coverage: [], undated: 0 }
  return { ...none, source: "copy", rows: [...rows], total }
}

/** A program with nothing to do. */
function idleProgram(role: Role): Handlers {
  return {
    "GET /api/session": () => sessionOf(role),
    "GET /api/status/budget": () => [],
    ...ordersServer([]),
    "GET /api/jobs": () => [],
    "GET /api/rewards": () => page([]),
    "GET /api/members": ({ query }) => page(query.has("status") ? [] : [ana]),
    "GET /api/members/facets": () => facets([["active", 1]], [["Gold", 1]]),
    "GET /api/program/leaderboards": () => [],
    "GET /api/settings/leaderboardMappings": () => ({ boards: [] }),
    "GET /api/reports/points": () => ({ rows: [], total: line("total", 0) }),
    "GET /api/reports/ledgers": () => dayReport([]),
    "GET /api/audit": () => [],
  }
}

/** Handlers of a home page with nothing to do, plus `further`. */
export function homeServer(role: Role, further: Handlers = {}): Handlers {
  return { ...idleProgram(role), ...further }
}

/** Handlers with content for each part of the page. */
export const busy: Handlers = {
  ...ordersServer([
    order("ord_new", 1),
    order("ord_old", 4),
    order("ord_code", 9, { reward_id: "rew_code" }),
  ]),
  "GET /api/jobs": ({ query }) => (query.get("state") === "attention" ? [jobNeedingDecision] : []),
  "GET /api/rewards": () =>
    page([
      { id: "rew_q", name: "Weber Baby Q", type: "physical", status: "active", stock: 3 },
      { id: "rew_y", name: "Yeti Tundra 45", type: "physical", status: "active", stock: 0 },
      { id: "rew_code", name: "Voucher", type: "digital", status: "active", stock: null },
      { id: "rew_gone", name: "Old kit", type: "physical", status: "inactive", stock: 0 },
      { id: "rew_many", name: "Cap", type: "physical", status: "active", stock: 240 },
    ]),
  "GET /api/members": ({ query }) =>
    query.get("status") === "pending"
      ? page([{ ...ana, id: "mem_sina", first_name: "Sina", last_name: "Latu", status: "pending" }], 6)
      : page([ana, { ...ana, id: "mem_bec", tier: "Silver" }], 1284),
  "GET /api/members/facets": () =>
    facets(
      [
        ["active", 1197],
        ["inactive", 81],
        ["pending", 6],
      ],
      [
        ["Gold", 800],
        ["Silver", 400],
      ],
    ),
  "GET /api/program/leaderboards": () => [
    { id: "lb_1", name: "All time" },
    { id: "lb_2", name: "Q4 Installer Sprint" },
  ],
  "GET /api/settings/leaderboardMappings": () => ({
    boards: [{ id: "lb_2", roles: { rank: "n", member: null, name: ["who"], note: null, score: "pts" } }],
  }),
  "GET /api/program/leaderboards/lb_2/rankings": () => [
    { n: 1, who: "Dalia Haddad", pts: 31_200 },
    { n: 2, who: "Leila Farahani", pts: 26_880 },
  ],
}

/** A row of the points report. */
export function line(group: string, awarded: number) {
  return { group, awarded, deducted: 0, awards: awarded > 0 ? 1 : 0, deductions: 0 }
}
