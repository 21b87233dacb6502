import * as z from "zod/mini"
import { earlierRows } from "../../contract/earlier-awards.ts"
import type { Job } from "../../contract/job.ts"
import type { PointsApp } from "./points-app.ts"

export const reason = "Q3 installer bonus"
export const reference = "INV-90001"
/** A row of the first invoice, for `mem_1`. */
export const invoice = (points: number, changes: object = {}) => ({
  member_id: "mem_1",
  points,
  reason,
  reference,
  ...changes,
})

/** Awards the rows one by one and waits for the end. */
export async function award(app: PointsApp, rows: readonly object[]): Promise<Job> {
  const { id } = await app.make({ kind: "award", rows: [...rows] })
  return app.until(id, "done")
}

/** What the server says of the rows before they are sent. */
export async function compared(app: PointsApp, rows: readonly object[]) {
  const answer = await app.post("/jobs/repeats", { kind: "award", rows })
  return z.object({ data: z.array(earlierRows) }).parse(answer.body).data
}

/** Points that the service booked for a member, in order. */
export const effectsOf = ({ service }: PointsApp, member: string) =>
  service.truth.flatMap((effect) =>
    (effect.kind === "award" || effect.kind === "deduct") && effect.memberId === member
      ? { kind: effect.kind, points: effect.points }
      : [],
  )

/** A member's balance by the service's ledger. */
export function has(app: PointsApp, memberId = "mem_1"): number {
  return effectsOf(app, memberId).reduce(
    (sum, { kind, points }) => sum + (kind === "deduct" ? -Math.abs(points) : points),
    0,
  )
}

/** State and outcome code of each row. */
export async function outcomes(app: PointsApp, id: string) {
  return (await app.rows(id)).map(({ state, outcome }) => [state, outcome?.code ?? null])
}
