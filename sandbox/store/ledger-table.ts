import type { SeedSource } from "../seed/source.ts"
import type { ChangeLog } from "./change-log.ts"
import type { MemberTable } from "./member-table.ts"
import type { TransactionRecord, WaitingAward } from "./records.ts"

/** The ledger of every member: the seeded rows, made on demand, and what was booked since. */
export class LedgerTable {
  private readonly source: SeedSource
  private readonly members: MemberTable
  private readonly log: ChangeLog
  private readonly booked = new Map<string, TransactionRecord[]>()
  private readonly waiting = new Map<string, WaitingAward>()

  constructor(source: SeedSource, members: MemberTable, log: ChangeLog) {
    this.source = source
    this.members = members
    this.log = log
  }

  /** All rows of a member, oldest first, whether the history shows them yet or not. */
  of(memberId: string): readonly TransactionRecord[] {
    const index = this.members.seedIndex(memberId)
    const seeded = index === undefined ? [] : this.source.history(index)
    const since = this.booked.get(memberId)
    return since === undefined ? seeded : [...seeded, ...since]
  }

  /** What was booked since the seed, of every member. */
  get since(): readonly TransactionRecord[] {
    return [...this.booked.values()].flat()
  }

  add(row: TransactionRecord): void {
    const rows = this.booked.get(row.memberId)
    if (rows === undefined) this.booked.set(row.memberId, [row])
    else rows.push(row)
    this.log.note("transaction", row.id, row)
  }

  /** Awards that wait for approval. */
  get awaiting(): readonly WaitingAward[] {
    return [...this.waiting.values()]
  }

  hold(award: WaitingAward): void {
    this.waiting.set(award.id, award)
    this.log.note("waiting", award.id, award)
  }

  /** Takes a waiting award out; undefined if there is none. */
  release(id: string): WaitingAward | undefined {
    const award = this.waiting.get(id)
    if (award === undefined) return undefined
    this.waiting.delete(id)
    this.log.note("waiting", id, null)
    return award
  }
}
