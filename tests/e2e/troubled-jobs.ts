import { expect, type Page } from "@playwright/test"
import { plainRows } from "./award-file.ts"
import { rowsIn, startAwards } from "./app-jobs.ts"
import type { MoneyApp } from "./money-app.ts"

/** Jobs with failures, for the page checks. */
export interface TroubledJobs {
  /** Running: two rows failed, one is unknown, one is in conflict (row numbers below). */
  readonly mixed: string
  readonly conflictRow: number
  readonly unknownRow: number
  readonly failedRow: number
  /** Paused because the key was refused. */
  readonly paused: string
  /** Done, each row confirmed. */
  readonly done: string
  /** A confirmed award, and an unknown one. */
  readonly one: string
  readonly oneUnknown: string
  readonly memberIds: readonly string[]
}

const award = { method: "POST", path: "/v1/points/award" } as const
const reason = "Q3 installer bonus"

/** Creates the jobs; the page must be signed in. Their faults stay until the service is reset. */
export async function makeTroubledJobs(page: Page, { app, service }: MoneyApp): Promise<TroubledJobs> {
  const { url } = app
  const ids = await service.memberIds(40)
  const asRows = (some: readonly string[], why = reason) =>
    plainRows(some, why).map(([id, points]) => ({ member_id: id, points: Number(points), reason: why }))
  const done = await startAwards(page, url, asRows(ids.slice(0, 30)), { mode: "bulk", title: reason })
  const one = await startAwards(page, url, asRows(ids.slice(30, 31), "Trade night, Maroochydore"))
  await expect.poll(async () => (await rowsIn(page, url, one, "confirmed")).size).toBe(1)
  await expect.poll(async () => (await rowsIn(page, url, done, "confirmed")).size).toBe(30)

  const refused = await service.fault({ match: award, kind: "before-commit-500", status: 401 })
  const paused = await startAwards(page, url, asRows(ids.slice(31, 37)), {
    mode: "single",
    title: "October volume tier",
  })
  await expect(async () => {
    expect((await rowsIn(page, url, paused, "planned")).size).toBe(6)
    expect((await service.requests()).some(({ status }) => status === 401)).toBe(true)
  }).toPass()
  await refused()

  // Rows stay unknown while no history can be read.
  const blind = await service.fault({
    match: { method: "GET", path: "/v1/members/*/transactions*" },
    kind: "before-commit-500",
  })
  await service.fault({ match: { ...award, times: 2 }, kind: "drop-after" })
  const unknownMembers = ["mem_0O1lI0xx", "mem_0O1lI0yy"]
  const mixed = await startAwards(
    page,
    url,
    asRows([...ids.slice(0, 12), ...unknownMembers, ...ids.slice(12, 20)]),
    {
      mode: "single",
      title: "Q3 installer bonus, second half",
    },
  )
  await expect.poll(async () => (await rowsIn(page, url, mixed, "unknown")).size).toBe(2)
  await expect.poll(async () => (await rowsIn(page, url, mixed, "failed")).size).toBe(2)
  await expect.poll(async () => (await rowsIn(page, url, mixed, "confirmed")).size).toBe(18)
  const [[conflictRow, conflict] = [0], [unknownRow, unknown] = [0]] = [
    ...(await rowsIn(page, url, mixed, "unknown")),
  ]
  const [failedRow = 0] = (await rowsIn(page, url, mixed, "failed")).keys()
  if (conflict === undefined || unknown === undefined) throw new Error("Two rows should be unknown.")
  // An identical foreign award: the two cannot be told apart.
  const sent = (await service.requests()).findLast(
    ({ path, body }) => path === award.path && body.includes(conflict.member_id) && body.includes(reason),
  )
  await service.request("POST", award.path, JSON.parse(sent?.body ?? ""))
  for (const id of [unknown.member_id, ids[38]]) {
    await service.fault({
      match: { method: "GET", path: `/v1/members/${id}/transactions*` },
      kind: "before-commit-500",
    })
  }
  await blind()
  await expect.poll(async () => (await rowsIn(page, url, mixed, "conflict")).size).toBe(1)
  // Last: after ten settle times a person has to decide about it.
  await service.fault({ match: { ...award, times: 1 }, kind: "drop-after" })
  const oneUnknown = await startAwards(page, url, asRows(ids.slice(38, 39), "Training: R32 handling"))
  await expect.poll(async () => (await rowsIn(page, url, oneUnknown, "unknown")).size).toBe(1)
  return { mixed, conflictRow, unknownRow, failedRow, paused, done, one, oneUnknown, memberIds: ids }
}
