import * as z from "zod/mini"
import { bookDifference, bookStatement } from "../../contract/books.ts"
import { bookKit, bookWorld } from "../support/book-program.ts"
import type { FakeEnd } from "../support/fake-upstream.ts"
import { createRandom, type Random } from "./random.ts"

const minuteMs = 60_000
const dayMs = 24 * 60 * minuteMs
const memberCount = 120
/** The night after the first of November. */
const closingNight = 20
/** How long Laurel runs each night: a check, the second looks, and the calculation after them, ms. */
const nightMs = 75 * minuteMs

interface BookNights {
  readonly nights: number
  readonly seed: number
}

/** What the nights ended with. */
export interface BookNightsEnd {
  /** Unexplained differences that were not planted, and missing entries, of all nights. */
  readonly falseOnes: number
  /** Points that were moved without an entry, and those of them that were found by the end. */
  readonly planted: number
  readonly found: number
  /** Changes with an entry, of every type. */
  readonly booked: number
  readonly failed: number
  /** Statements that did not add up. */
  readonly wrongSums: number
}

/** 30 nights; a sentence for each missed goal. */
export async function longBookNights(seed: number): Promise<{ lines: string[]; missed: string[] }> {
  const nights = 30
  const { booked, failed, falseOnes, found, planted, wrongSums } = await runBookNights({ nights, seed })
  const lines = [
    `${nights} nights, seed ${seed}: ${booked} entries, ${failed} failed requests, ${falseOnes} false differences, ${found} of ${planted} planted ones found, ${wrongSums} statements that do not add up`,
  ]
  const goals = [
    [falseOnes === 0, "a difference that was explained counted as unexplained or missing"],
    [found === planted, "a planted difference was not found"],
    [wrongSums === 0, "a statement did not add up"],
  ] as const
  return { lines, missed: goals.flatMap(([isReached, text]) => (isReached ? [] : [text])) }
}

/** Points that await approval. */
interface Waiting {
  readonly id: string
  readonly points: number
  readonly pending: string
}

type Kit = ReturnType<typeof bookKit>

/**
 * Nights over the end of a month: other programs and Laurel move points all day, a tenth of the requests fail, the history
 * lags up to 20 minutes, points await approval, expire and are approved, members come and are deleted.
 */
export async function runBookNights({ nights, seed }: BookNights): Promise<BookNightsEnd> {
  const random = createRandom(seed)
  // Midnight in Brisbane is 14:00.
  const world = await bookWorld("2026-10-14T13:50:00Z")
  const { clock, program } = world
  const counts = { falseOnes: 0, booked: 0, failed: 0, wrongSums: 0 }
  const planted = new Map<string, number>()
  for (let made = 0; made < memberCount; made += 1) {
    program.add(`mem_${made}`, { broughtIn: made % 5 === 0 ? random.integer(1, 900) : 0 })
    // Without any entry, points were brought in.
    program.book(`mem_${made}`, random.integer(1, 900))
  }
  const waiting: Waiting[] = []
  let found: ReadonlySet<string> = new Set()
  for (let night = 1; night <= nights; night += 1) {
    const kit = bookKit(world)
    program.fail = () => {
      if (random.next() > 0.1) return undefined
      counts.failed += 1
      return random.pick(failures)
    }
    kit.app.start()
    const endsAt = clock.monotonic() + nightMs
    while (clock.monotonic() < endsAt) {
      for (let change = random.integer(0, 3); change > 0; change -= 1)
        counts.booked += await changeOne(kit, random, waiting, planted)
      await clock.advance(5 * minuteMs)
    }
    program.fail = () => undefined
    found = await judgeNight(kit, planted, counts)
    if (night === closingNight && !(await closeOctober(kit))) counts.wrongSums += 1
    await kit.app.stop()
    for (let change = 0; change < 30; change += 1)
      counts.booked += await changeOne(kit, random, waiting, planted)
    const unused = [...program.members.keys()].filter((id) => !planted.has(id))
    // A ledger that cannot be read in one night is looked at in the next.
    if (night < nights - 1) planted.set(driftOf(kit, random.pick(unused), random), night)
    await clock.advance(dayMs - nightMs)
  }
  return { ...counts, planted: planted.size, found: [...planted.keys()].filter((id) => found.has(id)).length }
}

const failures: readonly FakeEnd[] = [
  { status: 500, body: {} },
  { kind: "no_answer", what: "reset" },
  { kind: "unreadable", status: 200, what: "html" },
]

function driftOf({ program }: Kit, id: string, random: Random): string {
  program.drift(id, random.pick([-1, 1]) * random.integer(1, 400))
  return id
}

/** A redemption of ours, of which every second entry names the order. */
async function redeem({ confirm, program }: Kit, memberId: string, random: Random): Promise<void> {
  const [spent, order] = [random.integer(1, 200), `ord_${random.integer(0, 1e9)}`]
  const texts = random.next() < 0.5 ? { reference: order } : {}
  program.book(memberId, -spent, { type: "redeem", ...texts })
  const notes = { cost: spent, points_spent: spent }
  await confirm({ memberId, points: null }, { upstreamId: order, notes }, { kind: "redeem" })
}

/** One change at the service, which keeps the members with a planted difference. Returns how many entries it booked. */
async function changeOne(
  kit: Kit,
  random: Random,
  waiting: Waiting[],
  planted: ReadonlyMap<string, number>,
): Promise<number> {
  const { award, confirm, program } = kit
  const ids = [...program.members.keys()]
  const id = random.pick(ids)
  const kind = random.next()
  program.lagMs = random.next() < 0.3 ? random.integer(0, 20) * minuteMs : 0
  if (kind < 0.35) program.book(id, random.integer(1, 500))
  else if (kind < 0.55) await award(id, random.integer(1, 300))
  else if (kind < 0.65) program.book(id, -random.integer(1, 200), { type: "expire" })
  else if (kind < 0.7) program.book(id, -random.integer(1, 200), { type: "redeem" })
  else if (kind < 0.75) await redeem(kit, id, random)
  else if (kind < 0.82) {
    const [points, pending] = [random.integer(1, 300), `pending_${random.next()}`]
    program.await(id, points)
    await confirm({ memberId: id, points, input: { member_id: id } }, { upstreamId: pending })
    waiting.push({ id, points, pending })
  } else if (kind < 0.9) {
    const approved = waiting.shift()
    if (approved === undefined || !program.members.has(approved.id)) return 0
    program.await(approved.id, -approved.points)
    program.book(approved.id, approved.points, { transaction_id: approved.pending })
  } else if (kind < 0.95) {
    const added = `mem_new_${random.integer(0, 1e9)}`
    program.add(added, { broughtIn: random.integer(0, 100) })
    program.book(added, random.integer(1, 100))
  } else if (ids.length > memberCount / 2 && !planted.has(id)) {
    program.remove(id)
    return 0
  }
  return 1
}

async function closeOctober({ ask }: Kit): Promise<boolean> {
  const { body } = await ask("GET /books/2026-10")
  const { coverage } = z.object({ data: bookStatement }).parse(body).data
  const not_read = coverage.members - coverage.read
  return (await ask("POST /books/2026-10/close", { body: { not_read } })).status === 200
}

/** Counts false differences and wrong sums, and returns the members whose planted difference is known. */
async function judgeNight(
  { ask, clock }: Kit,
  planted: ReadonlyMap<string, number>,
  counts: { falseOnes: number; wrongSums: number },
): Promise<ReadonlySet<string>> {
  const found = new Set<string>()
  let closing: number | undefined
  const running = new Date(clock.now() + 10 * 60 * minuteMs).toISOString().slice(0, 7)
  for (const month of ["2026-10", "2026-11"].filter((each) => each <= running)) {
    const { body } = await ask(`GET /books/${month}`)
    const { data } = z.object({ data: bookStatement }).parse(body)
    const flows = data.flows.reduce((sum, { ours, foreign }) => sum + ours.points + foreign.points, 0)
    const end = data.opening + flows + data.brought_in.points + data.late.points + data.unexplained.points
    if (end - data.deleted.points !== data.closing) counts.wrongSums += 1
    // The month before is closed.
    if (closing !== undefined && data.opening !== closing) counts.wrongSums += 1
    closing = data.state === "closed" ? data.closing : undefined
    const listed = await ask(`GET /books/${month}/differences?class=unexplained&per_page=100`)
    for (const { member } of z.object({ data: z.array(bookDifference) }).parse(listed.body).data) {
      if (planted.has(member?.id ?? "")) found.add(member?.id ?? "")
      else counts.falseOnes += 1
    }
    // No entry of ours was lost.
    counts.falseOnes += data.missing.entries
  }
  return found
}
