import { describe, expect, it } from "vitest"
import type { Member } from "../../../../contract/program/member.ts"
import { changedFieldsText, getChanges, editSchema, undoChanges, toFormValues } from "./edit-model.ts"

const ana: Member = {
  id: "mem_1",
  email: "ana@example.com",
  first_name: "Ana ",
  last_name: "Silva",
  company: "Coastal Climate Co",
  phone: null,
  status: "active",
  metadata: { visits: 12, tags: ["a"], region: "Sunshine Coast" },
}
const base = toFormValues(ana)

describe("changes of an edit", () => {
  it("are empty when no value differs, ignoring surrounding spaces", () => {
    expect(getChanges(base, { ...base, first_name: "Ana", metadata: base.metadata.toReversed() })).toEqual({})
  })

  it("are the changed fields only", () => {
    expect(getChanges(base, { ...base, company: " Tidal Air " })).toEqual({ company: "Tidal Air" })
    expect(getChanges(base, { ...base, status: "inactive" })).toEqual({ status: "inactive" })
  })

  it("contain metadata in full, every value with its original type", () => {
    const metadata = base.metadata.map((row) => (row.key === "region" ? { ...row, text: "Noosa" } : row))
    expect(getChanges(base, { ...base, metadata })).toEqual({
      metadata: { visits: 12, tags: ["a"], region: "Noosa" },
    })
  })

  it("never set a read-only status", () => {
    const pending = toFormValues({ ...ana, status: "Pending" })
    expect(pending.status).toBe("")
    expect(getChanges(pending, pending)).toEqual({})
    expect(getChanges(pending, { ...pending, status: "active" })).toEqual({ status: "active" })
  })

  it("are named on the button", () => {
    expect(changedFieldsText({ company: "x", metadata: {} })).toBe("company and custom fields")
  })
})

describe("edit form", () => {
  it("requires a name, unless the record has none", () => {
    expect(editSchema(base).safeParse({ ...base, last_name: " " }).success).toBe(false)
    const nameless = toFormValues({ ...ana, last_name: null })
    expect(editSchema(nameless).safeParse({ ...nameless, company: "x" }).success).toBe(true)
  })

  it("accepts existing metadata that was not touched", () => {
    const long = toFormValues({ ...ana, metadata: { ["k".repeat(80)]: "v".repeat(5000) } })
    expect(editSchema(long).safeParse({ ...long, company: "x" }).success).toBe(true)
  })
})

describe("undo of an edit", () => {
  const saved = { ...ana, company: "Tidal Air", phone: "1", updated_at: "2026-11-21T00:00:00Z" }

  it("contains the changed fields with their previous values", () => {
    expect(undoChanges(ana, saved, { company: "Tidal Air", phone: "1" })).toEqual({
      company: "Coastal Climate Co",
      phone: "",
    })
    const tagged = { ...saved, metadata: { ...ana.metadata, dealer: "KA-1" } }
    expect(undoChanges(ana, tagged, { metadata: tagged.metadata })).toEqual({ metadata: ana.metadata })
  })

  it("is undefined for read-only values, without differences, and without a version", () => {
    expect(undoChanges({ ...ana, status: "pending" }, saved, { status: "active" })).toBeUndefined()
    expect(undoChanges(saved, saved, { company: "Tidal Air" })).toBeUndefined()
    expect(undoChanges(ana, { ...saved, updated_at: null }, { company: "Tidal Air" })).toBeUndefined()
  })
})
