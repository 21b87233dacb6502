import { type Context, Hono } from "hono"
import { envelope, notFound } from "../http.ts"
import { queryInt } from "./requests.ts"
import { featured } from "../seed/members.ts"
import { day } from "../seed/random.ts"
import type { MemberRecord, TransactionRecord } from "../store/records.ts"
import type { SandboxStore } from "../store/store.ts"
import type { CallEnv } from "../world.ts"

const enrolled = 120

/** Leaderboards and their rankings (docs/api/program.md, Leaderboards): every board in another shape. */
export function leaderboardRoutes(): Hono<CallEnv> {
  const app = new Hono<CallEnv>()
  app.get("/", (c) =>
    envelope(
      c,
      boards.map((board) => board.listed),
    ),
  )
  app.get("/:id/rankings", (c) => rankings(c))
  return app
}

function rankings(c: Context<CallEnv>): Response {
  const board = boards.find((one) => one.id === c.req.param("id"))
  if (board === undefined) throw notFound("Leaderboard")
  const limit = queryInt(c, "limit", 10, 1, 100)
  return envelope(c, rankedAt(participants(c.env.world.store), board, c.env.clock, limit))
}

/** A member who takes part, with all awards. */
type Part = Readonly<{ member: MemberRecord; awards: readonly TransactionRecord[] }>

const isAward = ({ type }: TransactionRecord) => type === "award"

/**
 * The participating members: the featured ones and some more. Others who are awarded join with the points
 * awarded since the seed: their full history would put them first after one award.
 */
export function participants(store: SandboxStore): Part[] {
  const ids = new Set<string>()
  for (let index = 0; index < Math.min(store.base.members, featured.length + enrolled); index += 1) {
    ids.add(store.members.idAt(index))
  }
  const joined = Map.groupBy(
    store.transactions.since.filter((row) => isAward(row) && !ids.has(row.memberId)),
    ({ memberId }) => memberId,
  )
  const awardsOf = [
    ...Array.from(ids, (id) => [id, store.transactions.of(id).filter(isAward)] as const),
    ...joined,
  ]
  return awardsOf.flatMap(([id, awards]): Part[] => {
    const member = store.members.get(id)
    return member === undefined ? [] : [{ member, awards }]
  })
}

/** The first rows of a board at a moment by the service's clock. */
export function rankedAt(parts: readonly Part[], board: Board, at: number, limit: number): unknown[] {
  const since = at - board.days * day
  const standings = parts.map(({ member, awards }): RankedEntry => {
    const counted = awards.filter(({ created }) => created >= since && created <= at)
    return { member, points: counted.reduce((sum, row) => sum + row.points, 0), awards: counted.length }
  })
  return standings
    .toSorted((a, b) => b.points - a.points || a.member.id.localeCompare(b.member.id))
    .slice(0, limit)
    .map((row, index) => board.row(row, index + 1))
}

/** A member's entry: points awarded in the board's period, and the number of awards. */
type RankedEntry = Readonly<{ member: MemberRecord; points: number; awards: number }>

/** A leaderboard that looks back some days, and how it names things. */
interface Board {
  readonly id: string
  readonly days: number
  readonly listed: Record<string, unknown>
  row(standing: RankedEntry, rank: number): unknown
}

const fullName = (member: MemberRecord): string => `${member.first_name} ${member.last_name}`

/**
 * The boards. The document shows no field of either resource, so each board uses different names, and the last one
 * makes no sense at all.
 */
export const boards: readonly Board[] = [
  {
    id: "lb_q4sprint",
    days: 90,
    listed: { id: "lb_q4sprint", name: "Installer Sprint", status: "active" },
    row: ({ member, points, awards }, position) => ({
      position,
      member: { display_name: fullName(member), company: member.company },
      total_points: points,
      installs: awards,
    }),
  },
  {
    id: "lb_yearearners",
    days: 365,
    listed: { leaderboard_id: "lb_yearearners", title: "Top earners, 12 months", metric: "points" },
    row: ({ member, points }, rank) => ({ rank, member_id: member.id, name: fullName(member), points }),
  },
  {
    id: "lb_month",
    days: 30,
    listed: { id: "lb_month", label: "Rising stars", description: "Awards of the last 30 days" },
    row: ({ member, points, awards }, rank) => ({
      rank: `${rank}`,
      first_name: member.first_name,
      last_name: member.last_name,
      score: String(points),
      change: awards % 3 === 0 ? -1 : awards % 3,
      tier: member.tier,
    }),
  },
  {
    id: "lb_misc",
    days: 30,
    listed: { id: "lb_misc", kind: 7, tags: ["beta"] },
    row: ({ awards }, rank) => ({ a: rank % 2 === 0, b: [awards, null], c: { d: "–" } }),
  },
]
