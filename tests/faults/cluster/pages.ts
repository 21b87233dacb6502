import type { Sandbox } from "../../../sandbox/app.ts"
import { memberIds } from "../made-up-rows.ts"
import type { Random } from "../random.ts"

/** The records that people open. */
export interface OpenedRecords {
  readonly memberId: () => string
  readonly orderId: () => string
  readonly search: () => string
  /** A job that exists. */
  readonly jobId: string
}

/** A page of the everyday jobs, with the requests that it makes when it opens. */
interface Page {
  readonly name: string
  /** Its visits out of 100. */
  readonly share: number
  /** Paths requested together; a further list follows the answers to the one before. */
  readonly requests: (opened: OpenedRecords) => readonly (readonly string[])[]
}

const toShip = ["pending", "processing"].map(
  (status) => `/program/orders?status=${status}&page=1&per_page=100`,
)
const allRewards = "/program/rewards?page=1&per_page=100"
/** Every page reads it again. */
const bell = "/notices/unread"
const since = () => encodeURIComponent(new Date(Date.now() - 30 * 86_400_000).toISOString())

/** Without the names of members in lists, which come later. */
const pages: readonly Page[] = [
  {
    name: "morning check",
    share: 10,
    requests: () => [
      [
        ...toShip,
        allRewards,
        "/program/members?page=1&per_page=100",
        "/program/members?status=pending&page=1&per_page=25",
        "/program/members?status=inactive&page=1&per_page=25",
        "/program/leaderboards",
        "/settings/leaderboardMappings",
        "/jobs?state=attention&per_page=50",
        "/jobs?state=active&per_page=50",
        "/notices",
        bell,
        "/audit?per_page=50",
        `/reports/points?by=day&from=${since()}`,
      ],
      ["/program/leaderboards/lb_q4sprint/rankings?limit=25"],
    ],
  },
  {
    name: "find a member",
    share: 10,
    requests: ({ search }) => [[`/program/members?search=${search()}&page=1&per_page=25`, bell]],
  },
  {
    name: "a member",
    share: 10,
    requests: ({ memberId }) => {
      const id = `/program/members/${memberId()}`
      return [[id, `${id}/balance`, `${id}/transactions?page=1&per_page=25`, "/jobs/summary", bell]]
    },
  },
  {
    name: "ship desk",
    share: 10,
    requests: () => [
      [...toShip, allRewards, "/settings/carriers", "/orders/shipped-today", "/orders/claims", bell],
    ],
  },
  {
    name: "where is my order",
    share: 10,
    requests: ({ orderId }) => {
      const id = orderId()
      return [
        [
          `/program/orders/${id}`,
          `/audit?kind=order&id=${id}&per_page=50`,
          "/jobs?kind=order-update&per_page=100",
          "/settings/carriers",
          bell,
        ],
      ]
    },
  },
  {
    name: "a job and its rows",
    share: 20,
    requests: ({ jobId }) => [[`/jobs/${jobId}`, `/jobs/${jobId}/rows?page=1&per_page=100`, bell]],
  },
  { name: "jobs", share: 10, requests: () => [["/jobs?per_page=50", bell]] },
  {
    name: "it never arrived",
    share: 10,
    requests: () => [["/cards?page=1&per_page=25", "/settings/cardTemplates", "/cards/facets", bell]],
  },
  { name: "report of points", share: 10, requests: () => [["/reports/points?by=reason", bell]] },
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
