import type { Sandbox } from "../../../sandbox/app.ts"
import { memberIds } from "../made-up-rows.ts"
import type { Random } from "../random.ts"

/** The records that people open. */
export interface OpenedRecords {
  memberId(): string
  orderId(): string
  search(): string
  /** A job that exists. */
  readonly jobId: string
}

/** A page of the everyday jobs, with the requests that it makes when it opens. */
interface Page {
  readonly name: string
  /** Its visits out of 100. */
  readonly share: number
  /** Paths asked together; a further list follows the answers to the one before. */
  readonly requests: (opened: OpenedRecords) => readonly (readonly string[])[]
}

const toShip = ["pending", "processing"].map(
  (status) => `/program/orders?status=${status}&page=1&per_page=100`,
)
const since = () => new Date(Date.now() - 30 * 86_400_000).toISOString()

const pages: readonly Page[] = [
  {
    name: "morning check",
    share: 20,
    requests: () => [
      [
        ...toShip,
        "/program/rewards?page=1&per_page=100",
        "/program/members?page=1&per_page=100",
        "/program/members?status=pending&page=1&per_page=25",
        "/program/members?status=inactive&page=1&per_page=25",
        "/program/leaderboards",
        "/settings/leaderboards",
        "/jobs?state=attention",
        "/jobs",
        "/notices",
        "/audit",
        `/reports/points?by=day&from=${since()}`,
      ],
      ["/program/leaderboards/lb_q4sprint/rankings?limit=25"],
    ],
  },
  {
    name: "find a member",
    share: 12,
    requests: ({ search }) => [[`/program/members?search=${search()}&page=1&per_page=25`]],
  },
  {
    name: "a member with the ledger",
    share: 10,
    requests: ({ memberId }) => {
      const id = memberId()
      return [
        [
          `/program/members/${id}`,
          `/program/members/${id}/balance`,
          `/program/members/${id}/transactions?page=1&per_page=25`,
          `/notes/member/${id}`,
        ],
      ]
    },
  },
  { name: "ship desk", share: 15, requests: () => [[...toShip, "/orders/shipped-today", "/orders/claims"]] },
  { name: "list of orders", share: 8, requests: () => [["/program/orders?page=1&per_page=25"]] },
  {
    name: "where is my order",
    share: 8,
    requests: ({ orderId }) => {
      const id = orderId()
      return [[`/program/orders/${id}`, `/notes/order/${id}`]]
    },
  },
  {
    name: "a job",
    share: 10,
    requests: ({ jobId }) => [[`/jobs/${jobId}`, `/jobs/${jobId}/rows?page=1&per_page=100`]],
  },
  { name: "cards", share: 7, requests: () => [["/cards?page=1&per_page=25", "/cards/facets"]] },
  { name: "rewards", share: 5, requests: () => [["/program/rewards?page=1&per_page=25"]] },
  { name: "report of points", share: 5, requests: () => [[`/reports/points?by=month&from=${since()}`]] },
]

/** Picks what people open: any of the members and orders. */
export function openedRecords(sandbox: Sandbox, jobId: string, random: Random): OpenedRecords {
  const ids = memberIds(sandbox, sandbox.store.members.count)
  const orders = sandbox.store.orders.all.map(({ id }) => id)
  return {
    jobId,
    memberId: () => random.pick(ids),
    orderId: () => random.pick(orders),
    search: () => encodeURIComponent(sandbox.store.members.get(random.pick(ids))?.last_name ?? "silva"),
  }
}

const total = pages.reduce((sum, { share }) => sum + share, 0)

export function pickPage(random: Random): Page {
  let left = random.next() * total
  return pages.find(({ share }) => (left -= share) < 0) ?? random.pick(pages)
}
