import { expect, it, onTestFinished } from "vitest"
import { createFakeClock } from "../../tests/support/fake-clock.ts"
import { createMemoryCopy } from "../../tests/support/memory-copy.ts"
import { listOrders, ModelProgram } from "../../tests/support/model-program.ts"
import { createTestKit } from "../../tests/support/test-kit.ts"

const hour = 3_600_000

it("each day of the program's time zone has one row, from when the members are complete", async () => {
  const clock = createFakeClock(Date.parse("2026-11-20T11:30:00Z"))
  const program = new ModelProgram(listOrders["by points"] ?? (() => 0), () => 0.5)
  program.add(3)
  const copy = await createMemoryCopy(clock)
  const { app, store, upstream } = createTestKit({ clock, copy })
  onTestFinished(() => app.stop())
  upstream.serve(() => ({ status: 503 }))
  app.start()
  await clock.advance(hour, 60_000)
  expect(await store.books.days("2026-01-01", "2026-12-31")).toEqual([])
  upstream.serve(program.serve)
  // Sydney is 11 hours ahead: 11:30 is 22:30 there, and the next day begins at 13:00.
  await clock.advance(hour, 60_000)
  const [first = ""] = program.members.keys()
  program.book(first, 20)
  await clock.advance(3 * hour, 60_000)
  const days = await store.books.days("2026-01-01", "2026-12-31")
  expect(days.map(({ day, members, points }) => ({ day, members, points }))).toEqual([
    { day: "2026-11-20", members: 3, points: 150_000 },
    { day: "2026-11-21", members: 3, points: 150_020 },
  ])
})
