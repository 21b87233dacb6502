import type { Sandbox } from "../../../sandbox/app.ts"
import { memberIds } from "../made-up-rows.ts"
import type { Random } from "../random.ts"

/** The records that a task is about. */
export interface Subject {
  readonly memberId: string
  /** The member's, which nobody else's search shares. */
  readonly email: string
  readonly orderId: string
  /** A job that exists; after an award the award's. */
  readonly jobId: string
}

/** A page of the everyday jobs, with the requests that it makes when it opens. */
export interface Page {
  readonly name: string
  /** Paths requested together; a further list follows the answers to the one before. */
  readonly requests: (about: Subject) => readonly (readonly string[])[]
  /** What the page also asks for; until it comes it shows the same from another record. */
  readonly behind?: (about: Subject) => readonly string[]
  /** The same, requested past every cache (`no-cache`). */
  readonly behindFresh?: (about: Subject) => readonly string[]
  /** Instead of opening a page, points are awarded on the one before. */
  readonly awards?: true
}

/** An everyday job: what a person opens for it, one after the other and about the same records. */
interface Task {
  readonly name: string
  /** How often it is done, compared with the others. */
  readonly share: number
  readonly pages: readonly Page[]
}

const toShip = "/orders?status=to-ship&page=1&per_page=100"
const allRewards = "/rewards?page=1&per_page=100"
/** Every page reads it again. */
const bell = "/notices/unread"
const since = () => encodeURIComponent(new Date(Date.now() - 30 * 86_400_000).toISOString())

// Names of members in lists, which come later, and what an open page reads again after events are left out.

const morningCheck: Page = {
  name: "morning check",
  requests: () => [
    [
      toShip,
      allRewards,
      "/members?page=1&per_page=25",
      "/members/facets",
      "/members?status=pending&sort=created_at&page=1&per_page=25",
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
}
const findMember: Page = {
  name: "find a member",
  requests: ({ email }) => [[`/members?search=${encodeURIComponent(email)}&sort=match&per_page=8`, bell]],
}
const memberPage: Page = {
  name: "a member",
  requests: ({ memberId }) => [
    [
      `/program/members/${memberId}`,
      `/transactions?member_id=${memberId}&page=1&per_page=25`,
      "/jobs/summary",
      bell,
    ],
  ],
  // The record has the points of today, the balance also those of all time.
  behind: ({ memberId }) => [`/program/members/${memberId}/balance`],
}
const awardOne: Page = { name: "award one", requests: () => [], awards: true }
const shipDesk: Page = {
  name: "ship desk",
  requests: () => [
    [toShip, allRewards, "/settings/carriers", "/orders/shipped-today", "/orders/claims", bell],
  ],
}
const parcel: Page = {
  name: "a parcel at the ship desk",
  requests: ({ orderId }) => [[`/orders/${orderId}/address`, "/orders/claims"]],
  // The list has the order; a change since then becomes a question.
  behindFresh: ({ orderId }) => [`/program/orders/${orderId}`],
}
const findOrder: Page = {
  name: "find an order",
  requests: ({ orderId }) => [[`/orders?search=${orderId}&page=1&per_page=8`, bell]],
}
const orderPage: Page = {
  name: "an order",
  requests: ({ orderId: id }) => [
    [
      `/program/orders/${id}`,
      allRewards,
      `/orders/${id}/address`,
      `/audit?kind=order&id=${id}&per_page=50`,
      "/jobs?kind=order-update&per_page=100",
      "/settings/carriers",
      bell,
    ],
  ],
}
const jobPage: Page = {
  name: "a job and its rows",
  requests: ({ jobId }) => [[`/jobs/${jobId}`, `/jobs/${jobId}/rows?page=1&per_page=100`, bell]],
}
const jobsPage: Page = { name: "jobs", requests: () => [["/jobs?per_page=50", bell]] }
const cardsPage: Page = {
  name: "gift cards",
  requests: () => [["/cards?page=1&per_page=25", "/settings/cardTemplates", "/cards/facets", bell]],
}
const reportPage: Page = {
  name: "report of points",
  requests: () => [["/reports/points?by=reason", bell]],
}

/**
 * Twenty everyday jobs, each as often as the others: those with the same pages are one. People who work with files
 * prepare, watch and correct them; those who work with one record find it first and look at it again afterwards.
 */
const tasks: readonly Task[] = [
  { name: "morning check", share: 1, pages: [morningCheck] },
  {
    name: "award, redeem or take back one",
    share: 3,
    pages: [findMember, memberPage, awardOne, jobPage, memberPage],
  },
  { name: "find a member, it never arrived", share: 4, pages: [findMember, memberPage, cardsPage] },
  { name: "where is my order", share: 2, pages: [findOrder, orderPage, memberPage] },
  { name: "ship", share: 2, pages: [shipDesk, parcel, shipDesk] },
  { name: "a file and its rows", share: 7, pages: [jobsPage, jobPage, jobPage, jobsPage] },
  { name: "report of points", share: 1, pages: [reportPage] },
]

/** Picks what a task is about: any of the members and orders. */
export function subjectsOf(sandbox: Sandbox, jobId: string, random: Random): () => Subject {
  const ids = memberIds(sandbox, sandbox.store.members.count)
  const orders = sandbox.store.orders.all.map(({ id }) => id)
  return () => {
    const memberId = random.pick(ids)
    const email = sandbox.store.members.get(memberId)?.email ?? ""
    return { memberId, email, orderId: random.pick(orders), jobId }
  }
}

const total = tasks.reduce((sum, { share }) => sum + share, 0)

export function pickTask(random: Random): Task {
  let left = random.next() * total
  return tasks.find(({ share }) => (left -= share) < 0) ?? random.pick(tasks)
}

/** How long the browser takes an answer of the service for fresh, ms: src/api; the first that fits. */
const freshMs: readonly (readonly [RegExp, number])[] = [
  [/^\/program\/members\/[^/?]+$/, 300_000],
  [/^\/program\/leaderboards/, 60_000],
  [/^/, 30_000],
]
/** How long it keeps one that no page shows (src/api/request.ts), ms. */
const keptMs = 600_000

export type Browser = ReturnType<typeof createBrowser>

/** What a person's browser has of the service's answers. `now`: ms of a clock that never jumps. */
export function createBrowser(now: () => number) {
  const answers = new Map<string, { at: number; fresh: boolean }>()
  return {
    /** `older`: shown immediately, and read again. */
    has(path: string): "fresh" | "older" | undefined {
      const found = answers.get(path)
      const age = now() - (found?.at ?? -Infinity)
      if (found === undefined || age > keptMs) return undefined
      const [, most = 0] = freshMs.find(([which]) => which.test(path)) ?? []
      return found.fresh && age < most ? "fresh" : "older"
    },
    /** Keeps an answer. The rows of a list of members are their records; those of orders lack some fields. */
    keep(path: string, body: unknown, fresh: boolean): void {
      answers.set(path, { at: now(), fresh })
      const rows: unknown = Object(body).data
      for (const row of Array.isArray(rows) ? rows : []) {
        const { id, order_id } = Object(row)
        if (path.startsWith("/members?")) answers.set(`/program/members/${id}`, { at: now(), fresh })
        const order = `/program/orders/${order_id}`
        if (path.startsWith("/orders?") && !answers.has(order))
          answers.set(order, { at: now(), fresh: false })
      }
    },
    /** A member's points have changed. */
    changed(memberId: string): void {
      for (const [path, answer] of answers) if (path.includes(memberId)) answer.fresh = false
    },
  }
}
