import { expect, it, vi } from "vitest"
import * as z from "zod/mini"
import { repeatsBody } from "../../contract/job.ts"
import { limits } from "../../contract/limits.ts"
import { testSheet } from "../../tests/support/import/open-sheet.ts"
import { compareSheet, type KnownRepeats } from "./start-job.ts"

const member = z.object({ member_id: z.string() })

/** A file of `rows` awards, and a server that knows every thousandth member and records the requests. */
async function openFile(rows: number) {
  const sheet = testSheet("award")
  const lines = Array.from({ length: rows }, (_, at) => `mem_${at}\t${100 + (at % 7)}\tBonus`)
  await sheet.paste(["member_id\tpoints\treason", ...lines].join("\n"))
  const requests: number[] = []
  let underWay = 0
  let most = 0
  const answer = async (_: unknown, init: RequestInit) => {
    underWay += 1
    most = Math.max(most, underWay)
    const text = z.string().parse(init.body)
    expect(new TextEncoder().encode(text).length).toBeLessThan(limits.bodyBytes)
    const body = repeatsBody.parse(JSON.parse(text))
    requests.push(body.rows.length)
    const done_at = new Date().toISOString()
    const data = body.rows.flatMap((row, at) => {
      const { member_id: id } = member.parse(row)
      const number = Number(id.slice(4))
      return number % 1000 === 0
        ? [
            {
              at,
              key: id,
              count: 1,
              job: `J-${1 + (number % 3)}`,
              row: number + 1,
              state: "confirmed",
              done_at,
            },
          ]
        : []
    })
    await Promise.resolve()
    underWay -= 1
    return Response.json({ data })
  }
  vi.stubGlobal("fetch", vi.fn(answer))
  const known: KnownRepeats = new Map()
  const compare = () =>
    compareSheet("award", (...part) => sheet.run.comparable(...part), known, new AbortController().signal)
  return { sheet, requests, compare, most: () => most }
}

it("compares a large file in few requests, at most two in parallel, and finds each row by its position", async () => {
  const { sheet, requests, compare, most } = await openFile(12_001)
  const { found, jobs } = await compare()
  expect(requests.toSorted((one, other) => one - other)).toEqual([2001, 2500, 2500, 2500, 2500])
  expect(most()).toBeLessThanOrEqual(2)
  expect(Array.from(found.values(), ({ text }) => text)).toEqual(
    Array.from({ length: 13 }, (_, at) => `Already awarded today (J-${1 + ((at * 1000) % 3)})`),
  )
  expect(jobs).toEqual(["J-3", "J-2", "J-1"])
  const rows = await sheet.rows()
  expect([...found.keys()].map((id) => rows.find((row) => row.id === id)?.number)).toEqual(
    Array.from({ length: 13 }, (_, at) => at * 1000 + 2),
  )
})

it("requests only new rows when the file is compared again", async () => {
  const { sheet, requests, compare } = await openFile(6000)
  const before = await compare()
  const [first] = await sheet.rows()
  await sheet.view((open) => open.edit([{ id: first?.id ?? -1, column: 1, text: "7" }]))
  requests.length = 0
  expect(await compare()).toEqual(before)
  expect(requests).toEqual([1])
})

it("fails with the server's refusal of any request", async () => {
  const { compare } = await openFile(12_000)
  const refused = { error: { code: "store_unavailable", message: "No." } }
  vi.stubGlobal("fetch", async () => Response.json(refused, { status: 503 }))
  await expect(compare()).rejects.toMatchObject({ status: 503 })
})
