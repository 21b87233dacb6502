import { beforeEach, describe, expect, it } from "vitest"
import * as z from "zod/mini"
import { notices } from "../../contract/notices.ts"
import { goodFate } from "../../tests/faults/fates.ts"
import { digestAtOnce } from "../../tests/faults/in-process.ts"
import { awardsFor, createPointsApp, type PointsApp } from "../../tests/support/points-app.ts"

beforeEach(digestAtOnce)

const file = { name: "bonus.csv", fingerprint: "9b2f0c6d1e8a4b57" }

/** A job from a file with two sent awards and excluded rows with the text of the file. */
async function fromFile(app: PointsApp) {
  const options = { draft: true, mode: "single", file } as const
  const { id } = await app.make({ kind: "award", rows: [], options })
  const left = (line: number, code: string, input: object) => ({ line, input, code, message: "Why." })
  const added = await app.post(`/jobs/${id}/rows`, {
    rows: awardsFor(2),
    lines: [2, 3],
    excluded: [
      left(4, "problem_in_file", { member_id: "mem_3", points: "12,5O", reason: "Q3 bonus" }),
      left(5, "duplicate_in_file", awardsFor(1)[0] ?? {}),
      left(6, "outlier_in_file", { member_id: "mem_4", points: 9000, reason: "Q3 bonus" }),
    ],
  })
  expect(added.status).toBe(200)
  await app.meanwhile(app.post(`/jobs/${id}/start`, { total: 2 }))
  return app.until(id, "done")
}

describe("excluded rows of a file", () => {
  it("keep the text of the file and are sent after a correction or acceptance", async () => {
    const app = createPointsApp()
    const { id } = await fromFile(app)
    const [, , problem] = await app.rows(id)
    expect(problem?.input).toMatchObject({ member_id: "mem_3", points: "12,5O" })
    const input = { member_id: "mem_3", points: 125, reason: "Q3 bonus" }
    const sent = await app.meanwhile(app.post(`/jobs/${id}/retry`, { rows: [{ row: 3, input }, { row: 5 }] }))
    expect(sent.status).toBe(200)
    const job = await app.until(id, "done")
    expect(job).toMatchObject({ total: 4, counts: { confirmed: 4, excluded: 1 } })
    expect(app.service.truth.map((effect) => "points" in effect && effect.points)).toEqual([
      100, 100, 125, 9000,
    ])
  })

  it("are refused unchanged when they are invalid", async () => {
    const app = createPointsApp()
    const { id } = await fromFile(app)
    const sent = await app.post(`/jobs/${id}/retry`, { rows: [{ row: 3 }] })
    expect(sent.status).toBe(422)
    expect((await app.read(id)).counts).toMatchObject({ confirmed: 2, excluded: 3 })
  })

  it("are not sent when another row of the file or request has the same effect", async () => {
    const app = createPointsApp()
    const { id } = await fromFile(app)
    const again = await app.post(`/jobs/${id}/retry`, { rows: [{ row: 4 }] })
    expect(again.body).toMatchObject({
      error: { details: { fields: [{ field: "rows.0.input.member_id" }] } },
    })
    const input = awardsFor(5)[4]
    const rows = [3, 5].map((row) => ({ row, input }))
    const twice = await app.post(`/jobs/${id}/retry`, { rows })
    expect(twice.status).toBe(422)
    expect(JSON.stringify(twice.body)).toContain("Row 4 is the same.")
    expect(app.service.truth).toHaveLength(2)
  })

  it("are compared with earlier jobs before sending", async () => {
    const app = createPointsApp()
    const { id } = await fromFile(app)
    const input = { member_id: "mem_9", points: 70, reason: "Q3 bonus" }
    const other = await app.make({ kind: "award", rows: [input] })
    await app.until(other.id, "done")
    await app.meanwhile(app.post(`/jobs/${id}/retry`, { rows: [{ row: 3, input }] }))
    await app.until(id, "done")
    expect((await app.rows(id))[2]).toMatchObject({ state: "excluded", outcome: { code: "repeated_row" } })
    expect(app.service.truth).toHaveLength(3)
  })
})

describe("failed rows excluded by a person", () => {
  it("need no attention and can still be corrected", async () => {
    const app = createPointsApp()
    app.service.fateOf = ({ body }) =>
      JSON.stringify(body).includes("mem_2") ? { ...goodFate, answer: "refused" } : goodFate
    const made = await app.make({ kind: "award", rows: awardsFor(2), options: { mode: "single" } })
    await app.until(made.id, "done")
    const kinds = async () =>
      z
        .object({ data: notices })
        .parse((await app.ask("GET /notices")).body)
        .data.map(({ kind }) => kind)
    expect(await kinds()).toContain("failed")
    const left = await app.post(`/jobs/${made.id}/leave-out`, { rows: [2] })
    expect(left.body).toMatchObject({
      data: { state: "done", counts: { confirmed: 1, failed: 0, excluded: 1 } },
    })
    expect(await kinds()).not.toContain("failed")
    const [, row] = await app.rows(made.id)
    expect(row).toMatchObject({ state: "excluded", outcome: { code: "excluded_by_person" } })
    expect(row?.outcome?.message).toMatch(/^Left out by .*It was not accepted/)
    expect((await app.post(`/jobs/${made.id}/leave-out`, { rows: [2] })).status).toBe(409)

    app.service.fateOf = () => goodFate
    await app.meanwhile(app.post(`/jobs/${made.id}/retry`, { rows: [{ row: 2 }] }))
    expect((await app.until(made.id, "done")).counts).toMatchObject({ confirmed: 2, excluded: 0 })
  })
})
