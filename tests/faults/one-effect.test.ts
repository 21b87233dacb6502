import { afterAll, beforeAll, describe, expect, it } from "vitest"
import * as z from "zod/mini"
import { job } from "../../contract/job.ts"
import { startPostgres, type TestPostgres } from "../support/postgres.ts"
import { dataOf } from "../support/person.ts"
import { startFleet } from "./fleet.ts"
import { untilDone } from "./job-client.ts"
import { memberIds } from "./made-up-rows.ts"
import { shortTimes } from "./scenario.ts"

let postgres: TestPostgres
beforeAll(async () => {
  postgres = await startPostgres()
})
afterAll(() => postgres.stop())

const requests = 50
const withinMs = 240_000
const conflict = z.object({ error: z.object({ code: z.string() }) })

describe.each(["one server on a file", "two servers on PostgreSQL"])("%s", (where) => {
  it(
    "50 concurrent requests and a replay with one idempotency key create one effect",
    { timeout: withinMs },
    async () => {
      const two = where.startsWith("two")
      const fleet = await startFleet({
        instances: two ? 2 : 1,
        times: shortTimes,
        ...(two && { databaseUrl: await postgres.createDatabase() }),
      })
      try {
        const [member_id = ""] = memberIds(fleet.sandbox, 1)
        const body = { kind: "award", rows: [{ member_id, points: 50, reason: "Bonus" }] }
        const ask = (at: number, sent: unknown) => {
          const app = fleet.apps[at % fleet.apps.length]
          if (app === undefined) throw new Error("There is no server.")
          const headers = { "Idempotency-Key": "the-key-of-one-draft" }
          return fleet.requestFrom(app, "/jobs", { method: "POST", body: sent, headers })
        }
        const answers = await Promise.all(Array.from({ length: requests }, (_, at) => ask(at, body)))
        expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([201]))
        const ids = new Set(answers.map((answer) => dataOf(answer, job).id))
        expect(ids.size).toBe(1)
        const [id = ""] = ids
        await untilDone(fleet.ask, id, 90_000)
        // The same form resent; then the same key with another body.
        expect(dataOf(await ask(0, body), job).id).toBe(id)
        const other = await ask(0, { ...body, rows: [{ member_id, points: 51, reason: "Bonus" }] })
        expect(other.status).toBe(422)
        expect(conflict.safeParse(other.body).success).toBe(true)
        expect(fleet.sandbox.store.ledger).toHaveLength(1)
      } finally {
        await fleet.close()
      }
    },
  )
})
