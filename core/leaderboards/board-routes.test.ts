import { describe, expect, it } from "vitest"
import { boardHistory } from "../../contract/program/leaderboard.ts"
import { dataOf } from "../../tests/faults/orders/data-of.ts"
import { createFakeClock } from "../../tests/support/fake-clock.ts"
import { record } from "../../tests/support/made-up-members.ts"
import { createMemoryStore } from "../../tests/support/memory-store.ts"
import { createTestKit } from "../../tests/support/test-kit.ts"

const hour = 3_600_000
const day = 24 * hour

const standing = (places: number) =>
  Array.from({ length: places }, (_, at) => ({ rank: at + 1, name: `Member ${at + 1}`, points: 900 - at }))

/** An app whose service answers rankings with what `now` holds. */
function kitWithBoard(first: unknown = standing(3)) {
  const kit = createTestKit()
  const board = { now: first }
  kit.upstream.serve((call) => (call.path.startsWith("/leaderboards/lb/") ? record(board.now) : undefined))
  const read = async (limit = 25, headers = {}) => {
    const response = await kit.ask(`GET /program/leaderboards/lb/rankings?limit=${limit}`, { headers })
    await kit.clock.settle()
    await kit.clock.advance(0)
    return response
  }
  const history = async (query = "", role: "manager" | "viewer" = "manager") =>
    dataOf(await kit.ask(`GET /leaderboards/lb/history${query}`, { role }), 200, boardHistory)
  return { ...kit, board, read, history }
}

describe("snapshots of a leaderboard", () => {
  it("are stored from responses that people requested, without further requests", async () => {
    const kit = kitWithBoard()
    expect(await kit.history()).toEqual({ first_at: null, snapshots: [] })
    await kit.read()
    kit.board.now = standing(2)
    await kit.clock.advance(10 * 60_000)
    await kit.read()
    await kit.clock.advance(day)
    await kit.read()
    const { first_at, snapshots } = await kit.history(`?from=2026-11-19T00:00:00Z&to=2026-11-22T00:00:00Z`)
    expect(first_at).toBe("2026-11-20T00:00:00.000Z")
    expect(snapshots).toEqual([
      { at: "2026-11-20T00:00:00.000Z", places: 3, complete: true, sent: standing(3) },
      { at: "2026-11-21T00:10:00.000Z", places: 2, complete: true, sent: standing(2) },
    ])
    expect(kit.upstream.calls).toHaveLength(3)
  })

  it("prefer more places within the hour, and say whether the board had further ones", async () => {
    const kit = kitWithBoard(standing(10))
    await kit.read(10)
    kit.board.now = standing(40)
    await kit.read(100)
    kit.board.now = standing(25)
    await kit.read(25)
    const { snapshots } = await kit.history()
    expect(snapshots).toMatchObject([{ places: 40, complete: true }])
    expect((await kit.history("?limit=10")).snapshots).toEqual([
      { at: "2026-11-20T00:00:00.000Z", places: 10, complete: false, sent: standing(10) },
    ])
  })

  it.each([
    ["nothing", []],
    ["no list", { entries: standing(3) }],
    ["one row too large", [{ x: "x".repeat(70_000) }]],
  ])("leave out %s", async (_, sent) => {
    const kit = kitWithBoard(sent)
    await kit.read()
    expect((await kit.history()).snapshots).toEqual([])
  })

  it("keep the first rows of what is too large", async () => {
    const kit = kitWithBoard(standing(100).map((row) => ({ ...row, bio: "x".repeat(1000) })))
    await kit.read(100)
    expect((await kit.history()).snapshots).toMatchObject([{ places: 50, complete: false }])
  })

  it("are the last of each day in the program's time zone", async () => {
    const kit = kitWithBoard()
    for (let at = 0; at < 12; at += 1) {
      await kit.read()
      await kit.clock.advance(2 * hour)
    }
    const times = await kit.store.snapshots.times("lb")
    // Days of Brisbane begin at 14:00 UTC.
    expect(times.map((at) => new Date(at).toISOString())).toEqual([
      "2026-11-20T12:00:00.000Z",
      "2026-11-20T22:00:00.000Z",
    ])
  })

  it("are deleted after 400 days", async () => {
    const { app, clock, store } = kitWithBoard()
    const [old, recent] = [clock.now() - 401 * day, clock.now() - 399 * day]
    for (const at of [old, recent])
      await store.snapshots.add({ board: "lb", at, places: 1, complete: true, sent: [1] })
    app.start()
    await clock.advance(hour)
    expect(await store.snapshots.times("lb")).toEqual([recent])
  })

  it("answer a long period with at most 62, evenly, the newest among them", async () => {
    const kit = kitWithBoard()
    for (let at = 0; at < 200; at += 1) {
      await kit.store.snapshots.add({
        board: "lb",
        at: kit.clock.now() - (199 - at) * day,
        places: 1,
        complete: true,
        sent: [at],
      })
    }
    const { snapshots } = await kit.history("?from=2025-11-20T00:00:00Z")
    expect(snapshots.length).toBe(50)
    expect(snapshots.map(({ sent }) => sent)).toEqual(
      Array.from({ length: 50 }, (_, at) => [199 - (49 - at) * 4]),
    )
    expect((await kit.history("?from=2026-11-18T00:00:00Z")).snapshots.length).toBe(3)
  })

  it("cannot fail a read: the response has the ranking, and the log has the reason", async () => {
    const clock = createFakeClock()
    const store = createMemoryStore(clock)
    const snapshots = { ...store.snapshots, add: () => Promise.reject(new Error("disk full")) }
    const kit = createTestKit({ clock, store: { ...store, snapshots } })
    kit.upstream.serve(() => record(standing(3)))
    const response = await kit.ask("GET /program/leaderboards/lb/rankings")
    expect(response.status).toBe(200)
    await clock.advance(0)
    expect(kit.logged).toContainEqual({ level: "warn", text: "a leaderboard snapshot could not be stored" })
  })

  it("are for those who may see leaderboards", async () => {
    const kit = kitWithBoard()
    await kit.read()
    expect((await kit.history("", "viewer")).snapshots).toHaveLength(1)
    const refused = await kit.ask("GET /leaderboards/lb/history", { role: "fulfilment" })
    expect(refused.status).toBe(403)
    expect((await kit.ask("GET /leaderboards/lb/history?limit=101")).status).toBe(400)
  })
})
