import type { FinanceRow, MatchReport } from "../../contract/books.ts"
import { dayAt } from "../../contract/zoned-days.ts"
import type { BookEntry, CopyStore } from "../copy/copy-store.ts"
import { fold } from "../copy/member-columns.ts"
import { ledgerBatches } from "./calculate.ts"
import type { Month } from "./months.ts"

interface MonthEntry extends BookEntry {
  readonly memberId: string
  readonly day: string
}

type Found = Readonly<{ result: MatchReport["rows"][number]["result"]; entry: MonthEntry | null }>

/** What the ledgers have for each row of a finance file, and the entries of the month that no row named. */
export async function matchMonth(
  copy: CopyStore,
  { from, to }: Month,
  timeZone: string,
  rows: readonly FinanceRow[],
): Promise<{ readonly rows: readonly Found[]; readonly notInFile: MatchReport["not_in_file"] }> {
  const entries: MonthEntry[] = []
  const idByEmail = new Map<string, string>()
  const emails = new Set(rows.flatMap(({ member = "" }) => (member.includes("@") ? [fold(member)] : [])))
  for await (const ledgers of ledgerBatches(copy))
    for (const { memberId, email, entries: all } of ledgers) {
      if (emails.has(email)) idByEmail.set(email, memberId)
      for (const entry of all) {
        const at = entry.created_at
        if (at !== null && at >= from && at < to)
          entries.push({ ...entry, memberId, day: dayAt(at, timeZone) })
      }
    }
  const matched = matchRows(entries, rows, (named) => idByEmail.get(fold(named)) ?? named)
  const named = new Set(matched.flatMap(({ entry }) => (entry === null ? [] : [entry])))
  const left = entries.filter((entry) => !named.has(entry))
  const points = left.reduce((sum, entry) => sum + (entry.points ?? 0), 0)
  return { rows: matched, notInFile: { points, entries: left.length } }
}

/**
 * Matches rows with entries, each at most once: first those with equal points and day. Where more entries fit than
 * rows, none is chosen. Then what is left of the same reference or member, the closest first.
 */
function matchRows(
  entries: readonly MonthEntry[],
  rows: readonly FinanceRow[],
  memberIdOf: (named: string) => string,
): Found[] {
  const byReference = Map.groupBy(entries, ({ reference }) => reference)
  const byMember = Map.groupBy(entries, ({ memberId }) => memberId)
  const wanted = rows.map((row) => {
    const [reference, member] = [fold(row.reference ?? "").trim(), row.member?.trim() ?? ""]
    const memberId = member === "" ? undefined : memberIdOf(member)
    const some = reference === "" ? byMember.get(memberId ?? "") : byReference.get(reference)
    const candidates = (some ?? []).filter((entry) => memberId === undefined || entry.memberId === memberId)
    return { row, candidates, key: JSON.stringify([reference, memberId, row.points, row.day]) }
  })
  const taken = new Set<MonthEntry>()
  const results = new Map<FinanceRow, Found>()
  for (const group of Map.groupBy(wanted, ({ key }) => key).values()) {
    const [first] = group
    const exact = (first?.candidates ?? []).filter(
      (entry) => !taken.has(entry) && entry.points === first?.row.points && entry.day === first.row.day,
    )
    for (const [at, { row }] of group.entries()) {
      const entry = exact[at]
      if (entry === undefined) continue
      taken.add(entry)
      results.set(row, { result: exact.length > group.length ? "several" : "matched", entry })
    }
  }
  for (const { row, candidates } of wanted) {
    if (results.has(row)) continue
    const [entry] = candidates
      .filter((one) => !taken.has(one))
      .toSorted((one, other) => distance(one, row) - distance(other, row))
    if (entry !== undefined) taken.add(entry)
    results.set(
      row,
      entry === undefined ? { result: "not-in-ledgers", entry: null } : { result: "near", entry },
    )
  }
  return rows.map((row) => results.get(row) ?? { result: "not-in-ledgers", entry: null })
}

/** Equal points with another day come before other points. */
function distance({ day, points }: MonthEntry, row: FinanceRow): number {
  const days = Math.abs(Date.parse(day) - Date.parse(row.day)) / 86_400_000
  return points === row.points ? days : 1000 + Math.abs((points ?? 0) - row.points)
}
