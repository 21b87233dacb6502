import { expect, test } from "vitest"
import { rowOf } from "../../tests/support/job-records.ts"
import type { RowRecord } from "./job-store.ts"
import { engineNotes, notesOf, withoutNote } from "./row-notes.ts"

test("an unreadable note counts as missing", () => {
  const refusalOf = (notes: RowRecord["notes"]) => notesOf(rowOf({ notes })).refusal
  const refusal = { code: "closed", message: "It is closed." }
  expect(refusalOf({ refusal })).toEqual(refusal)
  expect(refusalOf({ refusal: { code: "x" } })).toEqual({ code: "x", message: "" })
  expect([null, {}, { refusal: null }, { refusal: "closed" }].map(refusalOf)).toEqual(
    Array(4).fill(undefined),
  )
  expect(notesOf(rowOf({ notes: { empty_at: "soon", reopened_at: 5 } }))).toEqual({ reopened_at: 5 })
})

test("a removed note leaves what the kind stores", () => {
  const notes = { body: 1, ...engineNotes({ missed: { since: 1, lookups: 2 } }) }
  expect(withoutNote(notes, "missed")).toEqual({ body: 1 })
  expect(withoutNote(null, "missed")).toBeNull()
})
