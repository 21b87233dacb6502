import { beforeAll, describe, expect, test } from "vitest"
import { make, sampleRows, setRow } from "../../tests/store/job-samples.ts"
import { openTwice, testPlaces } from "../../tests/support/test-stores.ts"
import type { Engine } from "./engine.ts"
import { readFigures } from "./figures.ts"
import { sqlStore } from "./sql-store.ts"

const { newFile, newDatabase } = testPlaces()

describe.each([
  ["a file", newFile],
  ["PostgreSQL", newDatabase],
])("the figures of a store in %s", (_name, newPlace) => {
  let engines: [Engine, Engine]
  beforeAll(async () => {
    engines = await openTwice(await newPlace())
    return async () => {
      for (const engine of engines) await engine.close()
    }
  })
  const read = async () => {
    const [engine] = engines
    return readFigures(engine, sqlStore(engine).jobs, [["program", 60]])
  }

  test("are zero without jobs, with the whole budget left", async () => {
    expect(await read()).toEqual({
      jobs: {},
      rowsUnknown: 0,
      rowsForPerson: 0,
      oldestUnknownSeconds: 0,
      budgetLeft: [["program", 60]],
      historyLagSeconds: 0,
    })
  })

  test("count jobs by state, unknown rows with the age of the oldest, rows for a person and permits taken", async () => {
    const { jobs, budget } = sqlStore(engines[1])
    const now = await jobs.now()
    const running = await make(jobs, sampleRows(4))
    const sent = { attempts: 1, firstSentAt: now - 95_000, sentAt: now - 95_000, owner: "one" }
    for (const [row, endedAt] of [
      [1, now - 90_000],
      [2, now - 30_000],
    ] as const)
      await setRow(jobs, running.id, row, { ...sent, state: "unknown", endedAt, nextAt: now + 60_000 })
    await setRow(jobs, running.id, 3, { ...sent, state: "absent", endedAt: now - 10_000 })
    const paused = await make(jobs, sampleRows(1))
    await jobs.change(paused.id, ["running"], { state: "paused" })
    await budget.take("program", 60, 60_000, () => ({ taker: { lane: "people", who: "ana" } }))

    const figures = await read()
    expect(figures).toMatchObject({
      jobs: { running: 1, paused: 1 },
      rowsUnknown: 2,
      rowsForPerson: 1,
      budgetLeft: [["program", 59]],
    })
    expect(figures.oldestUnknownSeconds).toBeGreaterThanOrEqual(90)
    expect(figures.oldestUnknownSeconds).toBeLessThan(400)
  })
})
