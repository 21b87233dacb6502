import type { Transaction } from "../../contract/program/points.ts"
import type { CopyStore } from "../../core/copy/copy-store.ts"
import { entryScope } from "../../core/jobs/job-record.ts"
import type { Store, UpstreamCall } from "../../core/ports.ts"
import type { NewJob, NewRow, RowChange } from "../../core/jobs/job-store.ts"
import { make, sampleRow } from "../store/job-samples.ts"
import { createFakeClock, type FakeClock } from "./fake-clock.ts"
import type { FakeEnd, FakeService } from "./fake-upstream.ts"
import { madeUpMember, page, record } from "./made-up-members.ts"
import { createMemoryCopy } from "./memory-copy.ts"
import { createMemoryStore } from "./memory-store.ts"
import { createTestKit } from "./test-kit.ts"

interface HeldEntry {
  readonly entry: Transaction
  /** When the history shows it, ms. */
  readonly visibleAt: number
}

interface BookMember {
  readonly member: ReturnType<typeof madeUpMember>
  balance: number
  pending: number
  readonly ledger: HeldEntry[]
}

type Booking = Partial<Pick<Transaction, "type" | "reason" | "reference" | "metadata" | "transaction_id">> & {
  /** ms; now by default. */
  readonly at?: number
}

/** A program service whose points other programs move, with a history that may lag and requests that may fail. */
class BookProgram {
  readonly members = new Map<string, BookMember>()
  lagMs = 0
  /** How a request fails; undefined: it does not. */
  fail: () => FakeEnd | undefined = () => undefined
  readonly #clock: FakeClock
  #booked = 0

  constructor(clock: FakeClock) {
    this.#clock = clock
  }

  /** `broughtIn`: points that no entry shows. */
  add(id: string, { broughtIn = 0, at = 0 }: { broughtIn?: number; at?: number } = {}): void {
    const member = madeUpMember(id, { created_at: new Date(at).toISOString() })
    this.members.set(id, { member, balance: broughtIn, pending: 0, ledger: [] })
  }

  remove(id: string): void {
    this.members.delete(id)
  }

  /** Points with an entry. Returns its id. */
  book(id: string, points: number, booking: Booking = {}): string {
    const found = this.#find(id)
    const { at = this.#clock.now(), type = points < 0 ? "deduct" : "award", ...texts } = booking
    this.#booked += 1
    found.balance += points
    const entry: Transaction = {
      transaction_id: `txn_${this.#booked}`,
      member_id: id,
      type,
      points,
      reason: "Elsewhere",
      balance_after: found.balance,
      created_at: new Date(at).toISOString(),
      ...texts,
    }
    found.ledger.push({ entry, visibleAt: this.#clock.now() + this.lagMs })
    return entry.transaction_id
  }

  /** Points without an entry. */
  drift(id: string, points: number): void {
    this.#find(id).balance += points
  }

  /** Points that await approval from now on, or not any more when negative. */
  await(id: string, points: number): void {
    this.#find(id).pending += points
  }

  readonly serve: FakeService = (call) => {
    if (call.method !== "GET") return { status: 405 }
    if (call.path === "/orders" || call.path === "/rewards") return page([])
    return this.fail() ?? (call.path === "/members" ? this.#list(call) : this.#one(call))
  }

  #find(id: string): BookMember {
    const found = this.members.get(id)
    if (found === undefined) throw new Error(`No member ${id}.`)
    return found
  }

  #list({ query }: UpstreamCall): FakeEnd {
    const { number, size } = paging(query)
    const all = [...this.members.values()].map(viewOf)
    return page(all.slice((number - 1) * size, number * size), all.length, number, size)
  }

  #one({ path, query }: UpstreamCall): FakeEnd | undefined {
    const [, , id = "", part] = path.split("/")
    const found = this.members.get(decodeURIComponent(id))
    if (found === undefined) return undefined
    if (part === undefined) return record(viewOf(found))
    const { balance, pending } = found
    if (part === "balance")
      return record({ member_id: id, balance, lifetime_earned: 0, lifetime_redeemed: 0, pending })
    const { number, size } = paging(query)
    const from = Date.parse(query.get("from") ?? "1970-01-01")
    const shown = found.ledger
      .filter(({ visibleAt }) => visibleAt <= this.#clock.now())
      .map(({ entry }) => entry)
      .filter(({ created_at }) => Date.parse(created_at ?? "") >= from)
      .toReversed()
    return page(shown.slice((number - 1) * size, number * size), shown.length, number, size)
  }
}

function paging(query: URLSearchParams) {
  return { number: Number(query.get("page") ?? 1), size: Number(query.get("per_page") ?? 25) }
}

const viewOf = ({ member, balance }: BookMember) => ({ ...member, points_balance: balance })

/** What outlives a stop of Laurel. */
interface BookWorld {
  readonly clock: FakeClock
  readonly copy: CopyStore
  readonly program: BookProgram
  readonly store: Store
}

/** A program and an empty store; the clock begins at `start`. */
export async function bookWorld(start: string, kind: CopyStore["kind"] = "file"): Promise<BookWorld> {
  const clock = createFakeClock(Date.parse(start))
  const copy: CopyStore = { ...(await createMemoryCopy(clock)), kind }
  return { clock, copy, program: new BookProgram(clock), store: createMemoryStore(clock) }
}

/** Laurel with the books of a program. */
export function bookKit(world: BookWorld) {
  const { clock, copy, program } = world
  const kit = createTestKit(world)
  kit.upstream.serve(program.serve)

  async function isSettled(): Promise<boolean> {
    const { complete } = await copy.members.progress()
    return complete && (await copy.ledgers.due(await copy.now(), 1)).length === 0
  }
  /** Until every ledger that is due was read. */
  async function settled(): Promise<void> {
    // A pass that begins from now on shows whose balance changed.
    const from = await copy.now()
    const isPassed = async () => ((await copy.members.progress()).sweptFrom ?? 0) >= from
    while (!(await isPassed()) || !(await isSettled())) await clock.advance(10_000)
  }

  /** A confirmed row of ours, whose entry has the id. */
  async function confirm(
    row: Partial<NewRow> & { readonly memberId: string },
    set: RowChange["set"],
    job: Partial<NewJob> = {},
  ) {
    const { jobs } = kit.store
    const { id, batchCode } = await make(jobs, [sampleRow(row)], job)
    const claim = set.upstreamId == null ? undefined : { scope: entryScope, key: set.upstreamId }
    await jobs.changeRows(id, [
      { row: 1, from: ["planned"], set: { state: "sent", firstSentAt: clock.now() } },
      { row: 1, from: ["sent"], set: { state: "confirmed", confirmedAt: clock.now(), ...set }, claim },
    ])
    await jobs.change(id, ["running"], { state: "done", finishedAt: clock.now() })
    // As after every write of ours, the ledger is read again.
    await copy.ledgers.outdate([row.memberId], (await copy.now()) + 1)
    return { job: id, batchCode }
  }

  /** An award or deduction of ours that the service booked. */
  async function award(memberId: string, points: number): Promise<string> {
    const id = program.book(memberId, points)
    const kind = points < 0 ? "deduct" : "award"
    await confirm({ memberId, points, input: { member_id: memberId } }, { upstreamId: id }, { kind })
    return id
  }

  return { ...kit, clock, copy, program, settled, confirm, award }
}
