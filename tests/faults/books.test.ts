import { expect, it, onTestFinished } from "vitest"
import * as z from "zod/mini"
import { type BookDifference, bookDifference, bookStatement } from "../../contract/books.ts"
import { bookKit, bookWorld } from "../support/book-program.ts"
import { runBookNights } from "./book-nights.ts"
import { createRandom } from "./random.ts"

const minuteMs = 60_000
const october = Date.parse("2026-10-20T00:00:00Z")

type Kit = ReturnType<typeof bookKit>

/** What is expected of a difference; an entry by its id, the rest by its member. */
interface Planted {
  readonly class: BookDifference["class"] | "ours"
  readonly member: string
  readonly points: number
  readonly transaction_id: string | null
}

/** How often each change is planted: 1,000 together. */
const plan = {
  ours: 150,
  oursByTag: 60,
  oursByMetadata: 30,
  redeemedHere: 90,
  foreign: 200,
  late: 100,
  "brought-in": 90,
  deleted: 50,
  awaiting: 60,
  missing: 60,
  missingOrder: 30,
  unexplained: 80,
} as const

/** Plants changes, each special one on a member without another one. */
async function plant(kit: Kit): Promise<readonly Planted[]> {
  const { award, confirm, program } = kit
  const random = createRandom(1000)
  const planted: Planted[] = []
  const add = (kind: Planted["class"], member: string, points: number, transaction_id: string | null) =>
    planted.push({ class: kind, member, points, transaction_id })
  let special = 0
  const anyone = () => `mem_${random.integer(0, 149)}`
  const next = () => `mem_${150 + special++}`
  const points = () => random.integer(1, 500)
  const times = async (count: number, act: () => unknown) => {
    for (let made = 0; made < count; made += 1) await act()
  }
  await times(plan.ours, async () => {
    const [id, sum] = [anyone(), random.pick([1, -1]) * points()]
    add("ours", id, sum, await award(id, sum))
  })
  await times(plan.oursByTag, async () => {
    const [memberId, sum] = [anyone(), points()]
    const { batchCode } = await confirm({ memberId, points: sum }, { upstreamId: null })
    add("ours", memberId, sum, program.book(memberId, sum, { reference: `${batchCode}.1` }))
  })
  await times(plan.oursByMetadata, async () => {
    const [memberId, sum] = [anyone(), points()]
    const { batchCode } = await confirm({ memberId, points: sum }, { upstreamId: null })
    const texts = { reference: "INV-7", metadata: { laurel: `${batchCode}.1` } }
    add("ours", memberId, sum, program.book(memberId, sum, texts))
  })
  let orders = 0
  await times(plan.redeemedHere, async () => {
    const [memberId, sum, order] = [anyone(), points(), `ord_${(orders += 1)}`]
    const notes = { cost: sum, points_spent: sum }
    await confirm({ memberId, points: null }, { upstreamId: order, notes }, { kind: "redeem" })
    const texts = orders % 2 === 0 ? { reference: order } : {}
    add("ours", memberId, -sum, program.book(memberId, -sum, { type: "redeem", ...texts }))
  })
  await times(plan.foreign, () => {
    const [id, type] = [anyone(), random.pick(["award", "adjust", "deduct", "expire", "redeem"])]
    // A redemption of ours with the same points within minutes is that one: these have others.
    const sum = (type === "award" ? 1 : -1) * (points() + (type === "redeem" ? 1000 : 0))
    add("foreign", id, sum, program.book(id, sum, { type }))
  })
  await times(plan.late, () => {
    const [id, sum] = [anyone(), points()]
    add("late", id, sum, program.book(id, sum, { at: october + random.integer(0, 1000) * minuteMs }))
  })
  await times(plan["brought-in"], () => {
    const [id, sum, first] = [`mem_new_${planted.length}`, points(), points()]
    program.add(id, { broughtIn: sum })
    add("brought-in", id, sum, null)
    add("foreign", id, first, program.book(id, first))
  })
  await times(plan.awaiting, async () => {
    const [memberId, sum] = [next(), points()]
    program.await(memberId, sum)
    await confirm({ memberId, points: sum }, { upstreamId: `held_${memberId}` })
    add("awaiting", memberId, sum, null)
  })
  await times(plan.missing, async () => {
    const [memberId, sum] = [next(), points()]
    await confirm({ memberId, points: sum }, { upstreamId: `lost_${memberId}` })
    add("missing", memberId, sum, `lost_${memberId}`)
  })
  await times(plan.missingOrder, async () => {
    const [memberId, sum] = [next(), points()]
    const notes = { cost: sum, points_spent: sum }
    await confirm({ memberId, points: null }, { upstreamId: `lost_${memberId}`, notes }, { kind: "redeem" })
    add("missing", memberId, -sum, null)
  })
  await times(plan.unexplained, () => {
    const [id, sum] = [next(), random.pick([1, -1]) * points()]
    program.drift(id, sum)
    add("unexplained", id, sum, null)
  })
  await times(plan.deleted, () => {
    const id = next()
    const { balance = 0 } = program.members.get(id) ?? {}
    program.remove(id)
    add("deleted", id, balance, null)
  })
  return planted
}

async function differencesOf({ ask }: Kit, month: string): Promise<BookDifference[]> {
  const found: BookDifference[] = []
  for (let page = 1; ; page += 1) {
    const { body } = await ask(`GET /books/${month}/differences?page=${page}&per_page=100`)
    const { data } = z.object({ data: z.array(bookDifference) }).parse(body)
    found.push(...data)
    if (data.length < 100) return found
  }
}

const keyOf = (one: Planted) => `${one.class} ${one.member} ${one.points} ${one.transaction_id ?? ""}`

it("1,000 planted changes of every class are each in the right class, and the month adds up", async () => {
  const kit = bookKit(await bookWorld("2026-11-01T00:00:00Z"))
  onTestFinished(() => kit.app.stop())
  const { app, ask, clock, program, settled } = kit
  for (let made = 0; made < 430; made += 1) {
    program.add(`mem_${made}`)
    program.book(`mem_${made}`, 100 + made, { at: october })
  }
  app.start()
  await settled()
  expect((await ask("POST /books/2026-10/close", { body: { not_read: 0 } })).status).toBe(200)
  const planted = await plant(kit)
  await settled()
  // Rows of ours count as missing after half an hour, and differences at the second look.
  await clock.advance(40 * minuteMs)
  await ask("POST /books/check")
  await clock.advance(120 * minuteMs)
  const found = (await differencesOf(kit, "2026-11")).map((one) =>
    keyOf({ ...one, member: one.member?.id ?? "" }),
  )
  const expected = planted.filter((one) => one.class !== "ours").map(keyOf)
  expect(found.toSorted(byText)).toEqual(expected.toSorted(byText))
  const { body } = await ask("GET /books/2026-11")
  const { data } = z.object({ data: bookStatement }).parse(body)
  const ours = data.flows.reduce((sum, flow) => sum + flow.ours.entries, 0)
  expect(ours).toBe(plan.ours + plan.oursByTag + plan.oursByMetadata + plan.redeemedHere)
  const balances = [...program.members.values()].reduce((sum, { balance }) => sum + balance, 0)
  expect(data).toMatchObject({ opening: (430 * (100 + 529)) / 2, closing: balances, coverage: { read: 470 } })
})

const byText = (one: string, other: string) => (one < other ? -1 : Number(one > other))

it("nights with faults, lag, pending points, expiry and deleted members name no false difference", async () => {
  const end = await runBookNights({ nights: 4, seed: 1 })
  expect(end).toMatchObject({ falseOnes: 0, wrongSums: 0, planted: 2, found: 2 })
  expect(end.failed).toBeGreaterThan(30)
})
