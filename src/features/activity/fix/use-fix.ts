import { useState } from "react"
import type { JobKind, RetryJobBody } from "../../../../contract/job.ts"
import type { JobRow } from "../../../../contract/job-rows.ts"
import { cellsOf, checkCells, retryRows, type FixCells, type FixField } from "./fix-model.ts"

/** What a person has mended so far. */
export interface Fix {
  readonly kind: JobKind
  readonly cellsOf: (row: JobRow) => FixCells
  readonly change: (row: JobRow, key: FixField["key"], text: string) => void
  readonly isChosen: (row: number) => boolean
  readonly choose: (row: number, chosen: boolean) => void
  readonly chooseAll: (chosen: boolean) => void
  /** Rows that are sent again. */
  readonly chosen: readonly JobRow[]
  /** How many rows were changed. */
  readonly edited: number
  /** What is wrong in a changed row by cell; undefined when nothing is, or it is not sent. */
  readonly problemsOf: (row: number) => Readonly<Partial<Record<FixField["key"], string>>> | undefined
  readonly body: () => NonNullable<RetryJobBody["rows"]>
  readonly drop: () => void
}

/** Keeps what is mended in failed rows, apart from the rows themselves. Every row is sent again unless left out. */
export function useFix(kind: JobKind, rows: readonly JobRow[]): Fix {
  const [edits, setEdits] = useState<ReadonlyMap<number, FixCells>>(new Map())
  const [left, setLeft] = useState<ReadonlySet<number>>(new Set())
  const chosen = rows.filter(({ row }) => !left.has(row))
  return {
    kind,
    cellsOf: (row) => edits.get(row.row) ?? cellsOf(kind, row),
    change: (row, key, text) =>
      setEdits((before) => {
        const cells = { ...(before.get(row.row) ?? cellsOf(kind, row)), [key]: text }
        return new Map(before).set(row.row, cells)
      }),
    isChosen: (row) => !left.has(row),
    choose: (row, isChosen) =>
      setLeft((before) => new Set(isChosen ? [...before].filter((each) => each !== row) : [...before, row])),
    chooseAll: (all) => setLeft(all ? new Set() : new Set(rows.map(({ row }) => row))),
    chosen,
    edited: edits.size,
    problemsOf: (number) => {
      const cells = edits.get(number)
      const row = chosen.find((each) => each.row === number)
      if (cells === undefined || row === undefined) return undefined
      const checked = checkCells(kind, row, cells)
      return checked.ok ? undefined : checked.problems
    },
    body: () => retryRows(kind, chosen, edits),
    drop: () => setEdits(new Map()),
  }
}
