import * as fc from "fast-check"
import { describe, expect, it } from "vitest"
import { parseExact } from "../../contract/exact-json.ts"
import * as z from "zod/mini"
import {
  checkMetadataRows,
  metadataOf,
  metadataRow,
  type MetadataRow,
  metadataRows,
  rowsOf,
} from "./metadata-editor.tsx"

const json = fc.dictionary(fc.string(), fc.jsonValue({ noUnicodeString: false }))

/** As serialised: values that JSON does not distinguish (0 and -0) are equal. */
const wire = (value: unknown): unknown => JSON.parse(JSON.stringify(value))

const row = (key: string, kind: MetadataRow["kind"], text: string): MetadataRow => ({ key, kind, text })

function problems(rows: MetadataRow[]): string[] {
  const parsed = metadataRows.safeParse(rows)
  return parsed.success ? [] : parsed.error.issues.map(({ path, message }) => `${path.join(".")}: ${message}`)
}

describe("the metadata editor's rows", () => {
  it("bring any JSON object back unchanged, types and order of keys included", () => {
    fc.assert(
      fc.property(json, (metadata) => {
        const came = wire(metadata) as Record<string, unknown>
        const back = metadataOf(rowsOf(came))
        expect(wire(back)).toEqual(came)
        expect(Object.keys(back)).toEqual(Object.keys(came))
      }),
    )
  })

  it("show and keep every digit of a number that JavaScript would round", () => {
    const text =
      '{"id":9007199254740993,"share":0.12345678901234567890,"huge":1e400,"deep":[9007199254740995]}'
    const came = parseExact(text) as Record<string, unknown>
    const shown = rowsOf(came)
    expect(shown.map((each) => each.text)).toEqual([
      "9007199254740993",
      "0.12345678901234567890",
      "1e400",
      "[\n  9007199254740995\n]",
    ])
    expect(JSON.stringify(metadataOf(shown))).toBe(text)
  })

  it("are accepted unchanged whatever they contain, and refused when edited", () => {
    const came = [row("", "text", "x".repeat(5000)), row("id", "number", "9007199254740993")]
    const check = (rows: MetadataRow[]) =>
      z
        .array(metadataRow)
        .check((ctx) => checkMetadataRows(ctx, came))
        .safeParse(rows).success
    expect(check([...came, row("b", "text", "new")])).toBe(true)
    expect(check([row("", "text", "x".repeat(5000)), row("id", "number", "9007199254740994")])).toBe(false)
    expect(problems([row("n", "number", "0.12345678901234567890")])).toHaveLength(1)
  })

  it("keep a key named __proto__ as a key", () => {
    const came = JSON.parse('{"__proto__": {"a": 1}, "b": 2}') as Record<string, unknown>
    const back = metadataOf(rowsOf(came))
    expect(JSON.stringify(back)).toBe(JSON.stringify(came))
  })

  it("keep a number a number until its kind is changed", () => {
    expect(rowsOf({ visits: 12 })).toEqual([row("visits", "number", "12")])
    expect(metadataOf([row("visits", "number", "13")])).toEqual({ visits: 13 })
    expect(metadataOf([row("visits", "text", "13")])).toEqual({ visits: "13" })
  })

  it("name the row with a missing or repeated key", () => {
    expect(problems([row(" ", "text", "x"), row("a", "text", "1"), row("a", "text", "2")])).toEqual([
      "0.key: Enter a name, or remove the field.",
      "2.key: Field 2 has this name already.",
    ])
  })

  it("name the row whose number or JSON cannot be read", () => {
    expect(
      problems([row("n", "number", "twelve"), row("j", "json", "{a: 1}"), row("e", "number", "")]),
    ).toEqual([
      "0.text: A number such as 12 or 3.5. For anything else choose Text under Advanced.",
      "1.text: This is not JSON yet. Check quotes and commas.",
      "2.text: A number such as 12 or 3.5. For anything else choose Text under Advanced.",
    ])
  })

  it("refuse more than 50 keys", () => {
    const many = Array.from({ length: 51 }, (_, index) => row(`k${index}`, "text", ""))
    expect(problems(many)).toEqual([": At most 50 fields; there are 51."])
  })
})
