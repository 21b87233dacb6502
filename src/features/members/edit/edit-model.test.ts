import { describe, expect, it } from "vitest"
import type { Member } from "../../../../contract/program/member.ts"
import { changedFieldsText, changesOf, editSchema, undoOf, valuesOf } from "./edit-model.ts"

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
const base = valuesOf(ana)

describe("what an edit sends", () => {
  it("is nothing when nothing says something else, stray spaces aside", () => {
    expect(changesOf(base, { ...base, first_name: "Ana", metadata: base.metadata.toReversed() })).toEqual({})
  })

  it("is the changed fields only", () => {
    expect(changesOf(base, { ...base, company: " Tidal Air " })).toEqual({ company: "Tidal Air" })
    expect(changesOf(base, { ...base, status: "inactive" })).toEqual({ status: "inactive" })
  })

  it("carries metadata whole, with every value of the type it came with", () => {
    const metadata = base.metadata.map((row) => (row.key === "region" ? { ...row, text: "Noosa" } : row))
    expect(changesOf(base, { ...base, metadata })).toEqual({
      metadata: { visits: 12, tags: ["a"], region: "Noosa" },
    })
  })

  it("never sets a status that can only be read", () => {
    const pending = valuesOf({ ...ana, status: "Pending" })
    expect(pending.status).toBe("")
    expect(changesOf(pending, pending)).toEqual({})
    expect(changesOf(pending, { ...pending, status: "active" })).toEqual({ status: "active" })
  })

  it("names its fields on the button", () => {
    expect(changedFieldsText({ company: "x", metadata: {} })).toBe("company and metadata")
  })
})

describe("the edit form", () => {
  it("asks for a name, unless the record has none", () => {
    expect(editSchema(base).safeParse({ ...base, last_name: " " }).success).toBe(false)
    const nameless = valuesOf({ ...ana, last_name: null })
    expect(editSchema(nameless).safeParse({ ...nameless, company: "x" }).success).toBe(true)
  })

  it("does not refuse metadata that is there already and was not touched", () => {
    const long = valuesOf({ ...ana, metadata: { ["k".repeat(80)]: "v".repeat(5000) } })
    expect(editSchema(long).safeParse({ ...long, company: "x" }).success).toBe(true)
  })
})

describe("what undoes an edit", () => {
  const saved = { ...ana, company: "Tidal Air", phone: "1", updated_at: "2026-11-21T00:00:00Z" }

  it("is the fields that were changed, as they were", () => {
    expect(undoOf(ana, saved, { company: "Tidal Air", phone: "1" })).toEqual({
      company: "Coastal Climate Co",
      phone: "",
    })
    const tagged = { ...saved, metadata: { ...ana.metadata, dealer: "KA-1" } }
    expect(undoOf(ana, tagged, { metadata: tagged.metadata })).toEqual({ metadata: ana.metadata })
  })

  it("is nothing where it cannot be set, where nothing differs, or where later changes could not be told", () => {
    expect(undoOf({ ...ana, status: "pending" }, saved, { status: "active" })).toBeUndefined()
    expect(undoOf(saved, saved, { company: "Tidal Air" })).toBeUndefined()
    expect(undoOf(ana, { ...saved, updated_at: null }, { company: "Tidal Air" })).toBeUndefined()
  })
})
