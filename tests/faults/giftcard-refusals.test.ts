import { afterEach, beforeEach, describe, expect, it, vi } from "vitest"
import type { RowRecord } from "../../core/jobs/job-store.ts"
import { cardRow, createCardApp, type CardApp } from "../support/card-app.ts"
import { digestAtOnce } from "./in-process.ts"

let apps: CardApp[] = []
beforeEach(() => digestAtOnce())
afterEach(async () => {
  for (const app of apps.splice(0)) await app.stop()
  vi.restoreAllMocks()
})

function app(): CardApp {
  const made = createCardApp()
  apps.push(made)
  return made
}

/** The five counts of a gift-card job (docs/jobs.md, The five counts). */
function countsOf({ issued }: CardApp, rows: readonly RowRecord[]): string {
  const cards = new Map(issued().map((card) => [card.externalRef, card.id]))
  const referenceOf = ({ notes }: RowRecord) => String(notes?.["reference"])
  const confirmed = rows.filter(({ state }) => state === "confirmed")
  const lost = confirmed.filter((row) => cards.get(referenceOf(row)) !== row.upstreamId)
  const references = new Set(rows.map(referenceOf))
  const phantoms = issued().filter(({ externalRef }) => !references.has(externalRef ?? ""))
  const denied = rows.filter(({ state }) => state === "absent" || state === "failed" || state === "planned")
  const wrong = denied.filter((row) => cards.has(referenceOf(row)))
  const unresolved = rows.filter(({ state }) => ["absent", "conflict", "unknown", "sent"].includes(state))
  const doubled = issued().length - cards.size
  return `L=${lost.length} D=${doubled} P=${phantoms.length} W=${wrong.length} U=${unresolved.length}`
}

describe("an undocumented refusal of a card", () => {
  it.each([405, 406, 410, 412, 413, 415, 418, 423, 425, 451])(
    "(%i) is looked up and never retried: confirmed if found, otherwise left to a person",
    async (status) => {
      const { carryOut, sandbox, sent, ...rest } = app()
      const on = { method: "POST", times: 1 }
      sandbox.faults.add({ kind: "after-commit-500", status, match: on })
      sandbox.faults.add({ kind: "before-commit-500", status, match: on })
      const { rows } = await carryOut([cardRow, { ...cardRow, denomination: 100 }])
      expect(rows.map(({ state }) => state).toSorted()).toEqual(["absent", "confirmed"])
      const absent = rows.find(({ state }) => state === "absent")
      expect(absent?.outcome).toMatchObject({
        code: "card_not_found",
        message: expect.stringContaining("Something went wrong"),
      })
      expect([sent().length, absent?.attempts, absent?.resends]).toEqual([2, 1, 0])
      expect(countsOf({ carryOut, sandbox, sent, ...rest }, rows)).toBe("L=0 D=0 P=0 W=0 U=1")
    },
  )

  it("shows the service's message during the lookup, also for an HTML response", async () => {
    const { ask, clock, issue, sandbox, sent } = app()
    sandbox.faults.add({ kind: "before-commit-500", status: 418, match: { method: "POST", times: 1 } })
    sandbox.faults.add({ kind: "html", status: 405, commit: false, match: { method: "POST", times: 1 } })
    const made = await issue([cardRow, cardRow])
    const { id } = (made.body as { data: { id: string } }).data
    while (sent().length < 2) await clock.advance(100)
    await clock.advance(1000)
    const { body } = await ask(`GET /jobs/${id}/rows`)
    const rows = (body as { data: { state: string; outcome: { message: string } }[] }).data
    expect(rows.map(({ state }) => state)).toEqual(["unknown", "unknown"])
    expect(rows.map(({ outcome }) => outcome.message).toSorted()).toEqual([
      "Something went wrong",
      "The service refused with 405 and gave no reason.",
    ])
  })

  it("is resent by a person's decision under the same key and issues one card", async () => {
    const kit = app()
    kit.sandbox.faults.add({ kind: "before-commit-500", status: 405, match: { method: "POST", times: 1 } })
    const { job, rows } = await kit.carryOut([cardRow])
    expect(rows).toMatchObject([{ state: "absent", attempts: 1 }])
    const decided = await kit.ask(`POST /jobs/${job.id}/rows/1/decision`, { body: { decision: "resend" } })
    expect(decided.status).toBe(200)
    const again = await kit.untilStill(job.id)
    expect(again.rows).toMatchObject([{ state: "confirmed", attempts: 2 }])
    expect(new Set(kit.sent()).size).toBe(1)
    expect(countsOf(kit, again.rows)).toBe("L=0 D=0 P=0 W=0 U=0")
  })

  it.each([408, 429, 500])("differs from %i, which is retried until it succeeds", async (status) => {
    const kit = app()
    kit.sandbox.faults.add({ kind: "after-commit-500", status, match: { method: "POST", times: 2 } })
    const { rows } = await kit.carryOut([cardRow])
    expect([rows[0]?.state, kit.sent().length]).toEqual(["confirmed", 3])
    expect(countsOf(kit, rows)).toBe("L=0 D=0 P=0 W=0 U=0")
  })
})
