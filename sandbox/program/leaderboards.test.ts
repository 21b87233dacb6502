import { expect, it } from "vitest"
import { ana, testClient } from "../../tests/support/sandbox/client.ts"

it("lists leaderboards, data only", async () => {
  const { program } = testClient()
  const { body, rows } = await program("GET", "/leaderboards")
  expect(Object.keys(body)).toEqual(["success", "data"])
  expect(rows).toHaveLength(4)
})

it("ranks 10 by default and up to 100, highest first, each board in its own shape", async () => {
  const { program } = testClient({ members: 200 })
  expect((await program("GET", "/leaderboards/lb_q4sprint/rankings")).rows).toHaveLength(10)
  const { rows } = await program("GET", "/leaderboards/lb_yearearners/rankings?limit=100")
  expect(rows).toHaveLength(100)
  const points = rows.map((row) => Number(row["points"]))
  expect(points).toEqual(points.toSorted((a, b) => b - a))
  const keys = new Set<string>()
  for (const board of ["lb_q4sprint", "lb_yearearners", "lb_month", "lb_misc"]) {
    const [first] = (await program("GET", `/leaderboards/${board}/rankings?limit=1`)).rows
    keys.add(Object.keys(first ?? {}).join())
  }
  expect(keys.size).toBe(4)
})

it("refuses a limit out of bounds and answers 404 for no such board", async () => {
  const { program } = testClient()
  expect((await program("GET", "/leaderboards/lb_q4sprint/rankings?limit=101")).status).toBe(400)
  expect((await program("GET", "/leaderboards/lb_q4sprint/rankings?limit=0")).status).toBe(400)
  expect((await program("GET", "/leaderboards/lb_none/rankings")).status).toBe(404)
})

it("counts for a member who joins by an award what they were awarded since, not their whole history", async () => {
  const { program } = testClient({ members: 400 })
  const { rows } = await program("GET", "/members?per_page=100&page=4")
  for (const { id } of rows)
    await program("POST", "/points/award", { member_id: id, points: 1, reason: "New" })
  const ranked = await program("GET", "/leaderboards/lb_yearearners/rankings?limit=100")
  const joined = new Set(rows.map(({ id }) => id))
  const points = ranked.rows.filter((row) => joined.has(row["member_id"])).map((row) => row["points"])
  expect(points.every((each) => each === 1)).toBe(true)
})

it("follows an award", async () => {
  const { program } = testClient()
  await program("POST", "/points/award", { member_id: ana, points: 10_000_000, reason: "First" })
  expect((await program("GET", "/leaderboards/lb_yearearners/rankings?limit=1")).rows[0]?.["member_id"]).toBe(
    ana,
  )
})
