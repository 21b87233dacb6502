import { Hono, type Context } from "hono"
import { envelope } from "../answer.ts"
import { featured } from "../seed/featured.ts"
import { notFound } from "../refusal.ts"
import type { SandboxStore } from "../store/store.ts"
import type { CallEnv } from "../world.ts"
import { boards, type Standing } from "./boards.ts"
import { queryInt } from "./query.ts"

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
  const since = c.env.clock - board.days * 86_400_000
  const rows = standings(c.env.world.store, since).slice(0, limit)
  return envelope(
    c,
    rows.map((row, index) => board.row(row, index + 1)),
  )
}

/** Points awarded since a time to the members who take part: those everyone knows, some more, and whoever was awarded since. */
function standings(store: SandboxStore, since: number): Standing[] {
  const ids = new Set<string>()
  for (let index = 0; index < Math.min(store.base.members, featured.length + enrolled); index += 1) {
    ids.add(store.members.idAt(index))
  }
  for (const row of store.transactions.since) if (row.type === "award") ids.add(row.memberId)
  const list: Standing[] = []
  for (const id of ids) {
    const member = store.members.get(id)
    if (member === undefined) continue
    const awards = store.transactions.of(id).filter((row) => row.type === "award" && row.created >= since)
    const points = awards.reduce((sum, row) => sum + row.points, 0)
    list.push({ member, points, awards: awards.length })
  }
  return list.toSorted((a, b) => b.points - a.points || a.member.id.localeCompare(b.member.id))
}
