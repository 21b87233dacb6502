import { userEvent } from "@testing-library/user-event"
import type { JobRow } from "../../../contract/job-rows.ts"
import type { Reward } from "../../../contract/program/reward.ts"
import type { Role } from "../../../contract/roles.ts"
import { oneRowJob } from "../job-views.ts"
import { renderApp, sessionOf, type Handlers } from "../test-app.tsx"

/** A reward as the service returns it: digital, 5,000 points, unlimited stock. */
export function reward(id: string, change: Partial<Reward> = {}): Reward {
  return {
    id,
    name: `Reward ${id}`,
    description: "",
    points_cost: 5000,
    category: "Gift cards",
    type: "digital",
    status: "active",
    image_url: "https://pictures.test/one.png",
    stock: null,
    ...change,
  }
}

/** Drill kit: physical, 9,500 points, 7 in stock. */
export const drill = reward("rew_drill", {
  name: "Drill kit",
  category: "Tools",
  type: "physical",
  points_cost: 9500,
  stock: 7,
})

const ana = {
  id: "mem_ana",
  email: "ana@coastal.test",
  first_name: "Ana",
  last_name: "Silva",
  status: "active",
  points_balance: 12480,
}

interface Opening {
  readonly rewards?: readonly Reward[]
  readonly role?: Role
  /** Overrides of Ana's fields. */
  readonly member?: Partial<typeof ana>
  readonly balance?: number
  /** Final state of the redemption's row. */
  readonly row?: Partial<JobRow>
  readonly handlers?: Handlers
}

/** The app at an address, with rewards, Ana, and one redeem job. */
export function openRewards(address: string, opening: Opening = {}) {
  const { rewards = [drill, reward("rew_card")], role = "manager", balance = 12480 } = opening
  const member = { ...ana, ...opening.member }
  const sent: { body: unknown; key: string | null }[] = []
  let made: ReturnType<typeof oneRowJob> | undefined
  const opened = renderApp(address, {
    "GET /api/session": () => sessionOf(role),
    "GET /api/status/budget": () => [],
    "GET /api/program/rewards": ({ query }) => list(rewards, query),
    ...Object.fromEntries(rewards.map((each) => [`GET /api/program/rewards/${each.id}`, () => each])),
    "GET /api/program/members": ({ query }) => list([member], query),
    "GET /api/program/members/mem_ana": () => member,
    "GET /api/program/members/mem_ana/balance": () => ({
      member_id: "mem_ana",
      balance,
      pending: 0,
      lifetime_earned: balance,
      lifetime_redeemed: 0,
    }),
    "GET /api/program/orders/ord_1": () => ({ order_id: "ord_1", points_spent: 9500, status: "pending" }),
    "GET /api/members/mem_ana/address": () => null,
    "POST /api/jobs": ({ body, headers }) => {
      sent.push({ body, key: headers.get("Idempotency-Key") })
      made = oneRowJob(
        { kind: "redeem" },
        { input: rowOf(body), member: { id: "mem_ana", label: null }, ...opening.row },
      )
      return Response.json({ success: true, data: made.job }, { status: 201 })
    },
    "GET /api/jobs/J-1": () => made?.job,
    "GET /api/jobs/J-1/rows": () =>
      Response.json({ success: true, data: [made?.row], meta: { page: 1, per_page: 1, total: 1 } }),
    ...opening.handlers,
  })
  return { ...opened, sent, user: userEvent.setup({ delay: null }) }
}

/** The requested page of a list; like the service, ignores the points range. */
export function list(rows: readonly unknown[], query: URLSearchParams): Response {
  const page = Number(query.get("page") ?? 1)
  const per_page = Number(query.get("per_page") ?? 25)
  const data = rows.slice((page - 1) * per_page, page * per_page)
  return Response.json({ success: true, data, meta: { page, per_page, total: rows.length } })
}

function rowOf(body: unknown): Record<string, unknown> {
  if (typeof body !== "object" || body === null || !("rows" in body) || !Array.isArray(body.rows)) return {}
  const [first]: unknown[] = body.rows
  return typeof first === "object" && first !== null ? { ...first } : {}
}
