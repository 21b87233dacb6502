import fc from "fast-check"
import { expect, test } from "vitest"
import { readWorkbook } from "../import/excel/workbook.ts"
import type { CsvCell } from "./csv.ts"
import { type FileSink, NotForExcel, tableSink } from "./table-file.ts"
import { openEntry, readZip } from "./zip.ts"

/** A workbook with these rows, written in two chunks after a restart. */
async function written(
  columns: readonly string[],
  rows: readonly (readonly CsvCell[])[],
  isTemplate = false,
) {
  let parts: (string | Blob)[] = []
  const file: FileSink = {
    name: "list.xlsx",
    write: async (part) => void parts.push(part),
    restart: async () => {
      parts = []
    },
    close: async () => {},
    abort: async () => {},
  }
  const table = await tableSink(file, columns, "xlsx", isTemplate)
  await table.begin()
  await table.add([["of the first attempt"]])
  await table.begin()
  await table.add(rows.slice(0, 1))
  await table.add(rows.slice(1))
  await table.end()
  return new Blob(parts)
}

async function sheetXml(file: Blob): Promise<string> {
  const entry = (await readZip(file)).get("xl/worksheets/sheet1.xml")
  if (entry === undefined) throw new Error("There is no sheet.")
  return new Response(await openEntry(file, entry)).text()
}

const text = fc
  .tuple(
    fc.constantFrom("", "=", "+", "-", "@", "'", "0", "_x0041_", "1E", "#N/A", "<&\"'>"),
    fc.string({ unit: "binary" }),
  )
  .map(([lead, rest]) => lead + rest)
const number = fc.oneof(
  fc.integer(),
  fc.double({ noNaN: true }),
  fc.integer({ min: -9e15, max: 9e15 }),
  fc.constantFrom(0.1, 12.5, 1e21),
)
/** As an import reads every text of a file. */
const asRead = (cell: CsvCell) =>
  String(cell ?? "")
    .replaceAll(/\r\n?/g, "\n")
    .trim()

test("what is written is read back the same", async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(
        fc.array(fc.oneof(text, number, fc.boolean(), fc.constant(null)), { minLength: 2, maxLength: 3 }),
        { maxLength: 5 },
      ),
      async (given) => {
        // A last cell, so that no row is blank.
        const rows = given.map((row) => [row[0], row[1], "end"])
        const table = await readWorkbook(await written(["a", "b", "c"], rows), {}, () => {})
        expect(table.rows.slice(1)).toEqual(rows.map((row) => row.map(asRead)))
        expect(table.cellNotes?.size).toBe(0)
      },
    ),
  )
})

test("texts are cells of text, and nothing is a formula", async () => {
  const xml = await sheetXml(
    await written(["id"], [["0012345"], ["=1+1"], [1250], [12.5], [1.23e-7], [1e17]]),
  )
  expect(xml).not.toMatch(/<f[ >]/)
  const cells = [...xml.matchAll(/<c r="(\w+)" s="(\d)"(?: t="(\w+)")?>/g)].map(
    ([, place, style, type = "n"]) => `${place} ${style} ${type}`,
  )
  expect(cells).toEqual([
    "A1 3 inlineStr",
    "A2 1 inlineStr",
    "A3 1 inlineStr",
    "A4 2 n",
    "A5 0 n",
    "A6 1 inlineStr",
    "A7 1 inlineStr",
  ])
})

test("equal lists are equal files", async () => {
  const rows = [["mem_1", 750]]
  const [one, other] = await Promise.all([written(["id", "points"], rows), written(["id", "points"], rows)])
  expect(new Uint8Array(await one.arrayBuffer())).toEqual(new Uint8Array(await other.arrayBuffer()))
})

test("a template has columns of text, so that ids keep their zeros", async () => {
  expect(await sheetXml(await written(["id"], [], true))).toContain(
    '<col min="1" max="1" width="20" customWidth="1" style="1"/>',
  )
  expect(await sheetXml(await written(["id"], []))).not.toContain('customWidth="1" style')
})

test("a text that no cell holds is refused", async () => {
  await expect(written(["id"], [["x".repeat(32_768)]])).rejects.toThrow(NotForExcel)
})
