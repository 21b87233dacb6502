import { useState } from "react"
import { type FinanceRow, matchBody, type MatchReport, type matchResults } from "../../../contract/books.ts"
import { limits } from "../../../contract/limits.ts"
import { useMatchFile } from "../../api/books.ts"
import type { ImportSession } from "../../import/import-session.ts"

export type MatchResult = (typeof matchResults)[number]

/** A row of the file with what the ledgers have for it. */
export interface ComparedRow {
  /** Its number in the file. */
  readonly number: number
  readonly row: FinanceRow
  readonly result: MatchResult
  readonly entry: MatchReport["rows"][number]["entry"]
}

export interface Compared {
  readonly report: MatchReport
  readonly rows: readonly ComparedRow[]
}

/** What each result is called, and what it means. */
export const resultTexts: Readonly<Record<MatchResult, { readonly label: string; readonly means: string }>> =
  {
    matched: { label: "Matched", means: "Reference or member, points and date are in the ledgers." },
    near: {
      label: "Similar",
      means: "The ledgers have the reference or member with other points or on another day.",
    },
    several: { label: "Several fit", means: "More entries fit than the file has rows." },
    "not-in-ledgers": {
      label: "Not in ledgers",
      means: "No entry of the month has this reference or member.",
    },
  }

/** How many rows have each result. */
export function countsOf({ rows }: Compared): Readonly<Record<MatchResult, number>> {
  const counts = { matched: 0, near: 0, several: 0, "not-in-ledgers": 0 }
  for (const { result } of rows) counts[result] += 1
  return counts
}

/** Compares the open file with a month. A result is dropped when the rows change. */
export function useComparison(month: string, { read, state }: ImportSession) {
  const match = useMatchFile(month)
  const [last, setLast] = useState<Compared & { readonly contents: number }>()
  const [problem, setProblem] = useState<unknown>(null)
  const { contents } = state
  const compare = async (): Promise<Compared | undefined> => {
    setProblem(null)
    try {
      const accepted = await read((sheet) => sheet.accepted(0, limits.jobRowsAtOnce))
      const { rows } = matchBody.parse({ rows: accepted.map(({ row }) => row) })
      const report = await match.mutateAsync(rows)
      const compared = {
        contents,
        report,
        rows: report.rows.flatMap(({ result, entry }, at) => {
          const [row, number] = [rows[at], accepted[at]?.number]
          return row === undefined || number === undefined ? [] : [{ number, row, result, entry }]
        }),
      }
      setLast(compared)
      return compared
    } catch (error) {
      setProblem(error)
      return undefined
    }
  }
  return {
    compared: last?.contents === contents ? last : undefined,
    compare,
    busy: match.isPending,
    error: problem,
  }
}
