import { describe, expect, test } from "vitest"
import { textRow, workbookFile } from "../../../tests/support/import/workbook-file.ts"
import { createDeflater } from "../../lib/zip.ts"
import { Refusal } from "../read-file.ts"
import { readWorkbook, type WorkbookChoice } from "./workbook.ts"

type Parts = Parameters<typeof workbookFile>[0]

async function read(parts: Parts | string, choice: WorkbookChoice = {}) {
  const given = typeof parts === "string" ? { sheets: { Sheet1: parts } } : parts
  const table = await readWorkbook(await workbookFile(given), choice, () => {})
  const notes = [...(table.cellNotes ?? [])].flatMap(([row, cells]) =>
    cells.map(({ column, text, severity, fix }) => [row, column, severity, text, fix?.text]),
  )
  return { ...table, notes: table.notes ?? [], cells: notes }
}

async function refusal(file: Blob, choice: WorkbookChoice = {}): Promise<Refusal> {
  const result = await readWorkbook(file, choice, () => {}).catch((error: unknown) => error)
  if (result instanceof Refusal) return result
  throw new Error("It was read.", { cause: result })
}

const head = textRow("member_id", "points")

describe("a sheet is read as", () => {
  const shapes: readonly (readonly [
    shape: string,
    parts: Parts | string,
    rows: readonly (readonly string[])[],
  ])[] = [
    [
      "Excel writes it: shared texts, places, styles",
      {
        sheets: {
          Sheet1:
            '<row r="1" spans="1:2"><c r="A1" t="s"><v>0</v></c><c r="B1" t="s"><v>1</v></c></row><row r="2"><c r="A2" s="1" t="s"><v>2</v></c><c r="B2"><v>1250</v></c></row>',
        },
        shared: "<si><t>member_id</t></si><si><t>points</t></si><si><t>0012345</t></si>",
        formats: [0, 49],
      },
      [
        ["member_id", "points"],
        ["0012345", "1250"],
      ],
    ],
    [
      "LibreOffice writes it: text with its formula, spaces preserved",
      {
        sheets: {
          Sheet1:
            '<row r="1" customFormat="false" ht="12.8"><c r="A1" s="0" t="s"><v>0</v></c><c r="B1" s="1" t="str"><f aca="false">A1&amp;&quot;x&quot;</f><v>mem 1x</v></c></row>',
        },
        shared: '<si><t xml:space="preserve"> mem 1 </t></si>',
        formats: [0, "General"],
      },
      [["mem 1", "mem 1x"]],
    ],
    [
      "Google Sheets writes it: namespaces and empty styled cells",
      {
        sheets: {
          Sheet1: '<row r="1"><c r="A1" s="1" t="s"><v>0</v></c><c r="B1" s="1"/><c r="Z1" s="1"/></row>',
        },
        shared: '<si><t xml:space="preserve">mem_1</t></si><si/>',
        formats: [0, 49],
      },
      [["mem_1"]],
    ],
    [
      "Numbers writes it: rich text in runs, without the reading aids",
      {
        sheets: { Sheet1: '<row r="1"><c r="A1" t="s"><v>0</v></c><c r="B1" t="s"><v>1</v></c></row>' },
        shared:
          '<si><r><rPr><b/></rPr><t>mem</t></r><r><t>_1</t></r></si><si><t>東京</t><rPh sb="0" eb="2"><t>トウキョウ</t></rPh></si>',
      },
      [["mem_1", "東京"]],
    ],
    [
      "openpyxl writes it: inline texts",
      head + textRow("mem_1", "5"),
      [
        ["member_id", "points"],
        ["mem_1", "5"],
      ],
    ],
    [
      "the OpenXML SDK writes it: every name with a prefix",
      {
        sheets: { Sheet1: "" },
        parts: {
          "xl/worksheets/sheet1.xml":
            '<x:worksheet xmlns:x="urn:x"><x:sheetData><x:row r="3"><x:c r="B3" t="inlineStr"><x:is><x:t>mem_1</x:t></x:is></x:c></x:row></x:sheetData></x:worksheet>',
        },
      },
      [["", "mem_1"]],
    ],
    [
      "other writers: single quotes, CDATA, comments, entities, attributes with signs",
      {
        sheets: {
          Sheet1:
            "<!-- <c> --><row r='1' note='a>b'><c r='A1' t='inlineStr'><is><t><![CDATA[a<b & c]]></t></is></c><c r='B1' t='str'><v>&#65;&#x42;&lt;&amp;amp;</v></c></row>",
        },
      },
      [["a<b & c", "AB<&amp;"]],
    ],
    [
      "sparse rows and cells",
      '<row r="2"><c r="C2"><v>1</v></c></row><row r="9"><c r="A9"><v>2</v></c></row>',
      [
        ["", "", "1"],
        ["2", "", ""],
      ],
    ],
    ["rows and cells without places", "<row><c><v>1</v></c><c/><c><v>3</v></c></row>", [["1", "", "3"]]],
    [
      "columns after Z",
      '<row r="1"><c r="A1"><v>1</v></c><c r="AB1"><v>28</v></c></row>',
      [["1", ...Array.from({ length: 26 }, () => ""), "28"]],
    ],
    ["truth values", '<row><c t="b"><v>1</v></c><c t="b"><v>0</v></c></row>', [["TRUE", "FALSE"]]],
    [
      "errors",
      '<row><c t="e"><v>#N/A</v></c><c t="e"><f>1/0</f><v>#DIV/0!</v></c></row>',
      [["#N/A", "#DIV/0!"]],
    ],
    [
      "dates of the strict format",
      '<row><c t="d"><v>2026-11-30T00:00:00</v></c><c t="d"><v>2026-11-30T08:30:00</v></c></row>',
      [["2026-11-30", "2026-11-30T08:30:00"]],
    ],
    [
      "line ends and characters that XML cannot have",
      '<row><c t="inlineStr"><is><t>a_x000D_\nb</t></is></c><c t="str"><v>_x005F_x0041__x0007_</v></c></row>',
      [["a\nb", "_x0041_\u0007"]],
    ],
    [
      "results of formulas, also empty ones",
      '<row><c><f>1+1</f><v>2</v></c><c t="str"><f>IF(A1,"","x")</f><v></v></c><c t="b"><f>TRUE()</f><v>1</v></c></row>',
      [["2", "", "TRUE"]],
    ],
    [
      "texts that look like numbers, formulas and dates",
      textRow("0012345", "12345678901234567", "1.23E+10", "=1+1", "1-2"),
      [["0012345", "12345678901234567", "1.23E+10", "=1+1", "1-2"]],
    ],
    ["texts with apostrophes and quotes", textRow("'0034", '="0034"', "'=x"), [["'0034", '="0034"', "'=x"]]],
    [
      "shared, array and spilled formulas, by their results",
      '<row r="1"><c r="A1"><f t="shared" ref="A1:A2" si="0">B1*2</f><v>10</v></c><c r="B1"><v>5</v></c></row><row r="2"><c r="A2"><f t="shared" si="0"/><v>14</v></c><c r="B2"><v>7</v></c></row><row r="3"><c r="A3" cm="1"><f t="array" ref="A3:A4">SORT(B1:B2)</f><v>5</v></c></row><row r="4"><c r="A4"><v>7</v></c></row>',
      [
        ["10", "5"],
        ["14", "7"],
        ["5", ""],
        ["7", ""],
      ],
    ],
    [
      "a table with a filter, links, checks and a total",
      {
        sheets: {
          Sheet1: `${head}${textRow("mem_1", "5")}<row><c t="inlineStr"><is><t>Total</t></is></c><c><f>SUBTOTAL(109,B2:B2)</f><v>5</v></c></row>`,
        },
        before: '<sheetViews><sheetView><pane ySplit="1" state="frozen"/></sheetView></sheetViews>',
        after:
          '<autoFilter ref="A1:B2"/><dataValidations count="1"><dataValidation sqref="B2"><formula1>1</formula1></dataValidation></dataValidations><hyperlinks><hyperlink ref="A2" r:id="rId9" display="x"/></hyperlinks><tableParts count="1"><tablePart r:id="rId1"/></tableParts><extLst><ext><x14:c xmlns:x14="urn:x"><x14:v>9</x14:v></x14:c></ext></extLst>',
      },
      [
        ["member_id", "points"],
        ["mem_1", "5"],
        ["Total", "5"],
      ],
    ],
    [
      "a cell with lines, and one with parts in bold",
      '<row><c t="inlineStr"><is><t>1 Kent St&#10;Perth</t></is></c><c t="inlineStr"><is><r><t>mem</t></r><r><rPr><b/></rPr><t>_1</t></r></is></c></row>',
      [["1 Kent St\nPerth", "mem_1"]],
    ],
    [
      "post codes, amounts and shares in their formats",
      {
        sheets: {
          Sheet1:
            '<row><c s="1"><v>800</v></c><c s="2"><v>1250</v></c><c s="3"><v>0.15</v></c><c s="4"><v>46356</v></c><c s="5" t="n"><v>-3</v></c></row>',
        },
        formats: [0, "00000", '"$"#,##0.00', "0%", "d/mm/yyyy", "#,##0;-#,##0"],
      },
      [["00800", "$1,250.00", "15%", "30/11/2026", "-3"]],
    ],
    [
      "the strict format names its parts",
      {
        sheets: { Sheet1: textRow("mem_1") },
        parts: {
          "_rels/.rels":
            '<Relationships><Relationship Id="a" Type="http://purl.oclc.org/ooxml/officeDocument/relationships/officeDocument" Target="xl/workbook.xml"/></Relationships>',
          "xl/workbook.xml":
            '<workbook xmlns="http://purl.oclc.org/ooxml/spreadsheetml/main" xmlns:r="http://purl.oclc.org/ooxml/officeDocument/relationships" conformance="strict"><sheets><sheet name="Sheet1" sheetId="1" r:id="rId1"/></sheets></workbook>',
          "xl/_rels/workbook.xml.rels":
            '<Relationships><Relationship Id="rId1" Type="http://purl.oclc.org/ooxml/officeDocument/relationships/worksheet" Target="worksheets/sheet1.xml"/></Relationships>',
        },
      },
      [["mem_1"]],
    ],
    [
      "a report writer does: parts in other places, sheets in another order than their ids",
      {
        sheets: {},
        parts: {
          "xl/workbook.xml":
            '<workbook xmlns:r="urn:r"><sheets><sheet name="Report" sheetId="7" r:id="rId3"/></sheets></workbook>',
          "xl/_rels/workbook.xml.rels":
            '<Relationships><Relationship Id="rId1" Type="x/theme" Target="theme/theme1.xml"/><Relationship Id="rId3" Type="x/worksheet" Target="../data/page.xml"/></Relationships>',
          "data/page.xml": `<worksheet><sheetData>${textRow("mem_1")}</sheetData></worksheet>`,
        },
      },
      [["mem_1"]],
    ],
    [
      "a workbook with a chart sheet",
      {
        sheets: {},
        parts: {
          "xl/workbook.xml":
            '<workbook xmlns:r="urn:r"><sheets><sheet name="Chart1" sheetId="1" r:id="rId1"/><sheet name="Data" sheetId="2" r:id="rId2"/></sheets></workbook>',
          "xl/_rels/workbook.xml.rels":
            '<Relationships><Relationship Id="rId1" Type="x/chartsheet" Target="chartsheets/sheet1.xml"/><Relationship Id="rId2" Type="x/worksheet" Target="worksheets/sheet1.xml"/></Relationships>',
          "xl/chartsheets/sheet1.xml": "<chartsheet><drawing/></chartsheet>",
          "xl/worksheets/sheet1.xml": `<worksheet><sheetData>${textRow("mem_1")}</sheetData></worksheet>`,
        },
      },
      [["mem_1"]],
    ],
    [
      "parts that begin with a byte order mark",
      {
        sheets: { Sheet1: "" },
        parts: {
          "xl/worksheets/sheet1.xml": `\uFEFF<?xml version="1.0"?><worksheet><sheetData>${textRow("mem_1")}</sheetData></worksheet>`,
        },
      },
      [["mem_1"]],
    ],
    [
      "letters outside the Latin alphabet, and hard spaces of a web page",
      textRow("Łukasz Müller", "田中", "🎁", "1\u00a0250"),
      [["Łukasz Müller", "田中", "🎁", "1\u00a0250"]],
    ],
    [
      "comments, pictures and macros stand beside the cells",
      {
        sheets: { Sheet1: textRow("mem_1") },
        after: '<drawing r:id="rId1"/><legacyDrawing r:id="rId2"/>',
        parts: {
          "xl/comments1.xml":
            '<comments><commentList><comment ref="A1"><text><t>note</t></text></comment></commentList></comments>',
          "xl/threadedComments/threadedComment1.xml": "<ThreadedComments/>",
          "xl/vbaProject.bin": "\u0001\u0002",
          "docProps/app.xml": "<Properties/>",
        },
      },
      [["mem_1"]],
    ],
    [
      "cells that are not in order",
      '<row r="1"><c r="B1"><v>2</v></c><c r="A1"><v>1</v></c></row>',
      [["1", "2"]],
    ],
    [
      "whole numbers that a writer gives with an exponent or decimals",
      "<row><c><v>1.25E3</v></c><c><v>1250.0</v></c><c><v>-0</v></c></row>",
      [["1250", "1250", "0"]],
    ],
    ["blank rows at the end", `${textRow("a")}<row r="5"><c r="A5" s="0"/></row><row r="1048576"/>`, [["a"]]],
  ]

  test.each(shapes)("%s", async (_, parts, rows) => {
    const table = await read(parts)
    expect(table.rows).toEqual(rows)
    expect(table.cells).toEqual([])
  })

  test("rows have the numbers that Excel shows", async () => {
    expect(
      (
        await read(
          '<row r="2"><c><v>1</v></c></row><row><c><v>2</v></c></row><row r="7"><c><v>3</v></c></row>',
        )
      ).numbers,
    ).toEqual([2, 3, 7])
  })
})

describe("a cell that Excel shows otherwise than it holds is marked", () => {
  test("a formula without a result is a problem, and the sheet says how many there are", async () => {
    const { rows, cells, notes } = await read("<row><c><f>A2*2</f></c><c><f>B1</f><v></v></c></row>")
    expect(rows).toEqual([["=A2*2", "=B1"]])
    expect(cells.map(([, column, severity]) => [column, severity])).toEqual([
      [0, "problem"],
      [1, "problem"],
    ])
    expect(notes).toEqual(["2 formulas have no result in this file."])
  })

  test("a cell under a merged one can take its text", async () => {
    const { rows, cells } = await read({
      sheets: { Sheet1: `${textRow("Team A", "mem_1")}${textRow("", "mem_2")}` },
      after: '<mergeCells count="1"><mergeCell ref="A1:A2"/></mergeCells>',
    })
    expect(rows).toEqual([
      ["Team A", "mem_1"],
      ["", "mem_2"],
    ])
    expect(cells).toEqual([[1, 0, "check", "Part of a merged cell: Excel shows Team A here", "Team A"]])
  })
})

describe("hidden parts", () => {
  const hidden = {
    sheets: {
      Sheet1: `<row>${"<c><v>1</v></c>".repeat(3)}</row><row hidden="1"><c><v>2</v></c></row><row hidden="1"/><row><c><v>3</v></c><c/><c><v>4</v></c></row>`,
    },
    before: '<cols><col min="2" max="2" hidden="1"/><col min="5" max="16384" hidden="1"/></cols>',
  }

  test("rows are left out and columns are read, and both are counted if they have a text", async () => {
    const { rows, numbers, excel } = await read(hidden)
    expect(rows).toEqual([
      ["1", "1", "1"],
      ["3", "", "4"],
    ])
    expect(numbers).toEqual([1, 4])
    expect(excel).toMatchObject({ found: { hiddenRows: 1, hiddenColumns: 1 } })
  })

  test("can be read or left out on request", async () => {
    const { rows } = await read(hidden, { hiddenRows: true, hiddenColumns: false })
    expect(rows).toEqual([
      ["1", "1"],
      ["2", ""],
      ["3", "4"],
    ])
  })
})

describe("the sheets of a workbook", () => {
  const two = {
    sheets: { May: textRow("a"), June: textRow("b"), Empty: "", Lists: textRow("c") },
    hidden: ["Lists"],
  }

  test("are asked for if several have rows", async () => {
    const { message, sheets } = await refusal(await workbookFile(two))
    expect(message).toBe("Which of 2 sheets do you want to import?")
    expect(sheets).toEqual(["May", "June"])
    expect((await read(two, { sheet: "June" })).rows).toEqual([["b"]])
    expect((await read(two, { sheet: "Lists" })).excel?.sheets).toContainEqual({
      name: "Lists",
      hidden: true,
    })
  })

  test("are not asked for if one has rows", async () => {
    expect((await read({ sheets: { Sheet1: "", Sheet2: textRow("x"), Sheet3: "" } })).rows).toEqual([["x"]])
  })
})

describe("a file is refused with its reason:", () => {
  const container = (name: string) =>
    new Blob([Uint8Array.of(0xd0, 0xcf, 0x11, 0xe0), Array.from(name).join("\0")])

  test.each<readonly [string, () => Blob | Promise<Blob>, string]>([
    ["a password", () => container("EncryptedPackage"), "This workbook is protected with a password."],
    ["the old format", () => container("Workbook"), "This is a workbook of Excel 2003 or earlier (.xls)."],
    ["another old file", () => container("WordDocument"), "This is an Office file without a workbook."],
    [
      "an OpenDocument file",
      () =>
        workbookFile({
          sheets: {},
          parts: { "[Content_Types].xml": null, mimetype: "x", "content.xml": "x" },
        }),
      "This is an OpenDocument file (such as .ods).",
    ],
    [
      "a Numbers document",
      () => workbookFile({ sheets: {}, parts: { "[Content_Types].xml": null, "Index/Document.iwa": "x" } }),
      "This is a document of Numbers or another Apple program.",
    ],
    [
      "another archive",
      () => workbookFile({ sheets: {}, parts: { "[Content_Types].xml": null } }),
      "This is an archive, not a workbook.",
    ],
    [
      "a Word document",
      () => workbookFile({ sheets: {}, parts: { "xl/workbook.xml": "<document/>" } }),
      "This is an Office file without a workbook.",
    ],
    [
      "a binary workbook",
      () =>
        workbookFile({
          sheets: {},
          parts: {
            "_rels/.rels":
              '<Relationships><Relationship Type="x/officeDocument" Target="xl/workbook.bin"/></Relationships>',
          },
        }),
      "This is a binary workbook (.xlsb).",
    ],
    [
      "an empty sheet",
      () => workbookFile({ sheets: { Awards: '<row r="1"><c r="A1" s="0"/></row>' } }),
      "The sheet “Awards” is empty.",
    ],
    [
      "empty sheets",
      () => workbookFile({ sheets: { A: "", B: "" } }),
      "All sheets of this workbook are empty.",
    ],
    [
      "only hidden sheets",
      () => workbookFile({ sheets: { A: textRow("x") }, hidden: ["A"] }),
      "This workbook has no visible sheet with cells.",
    ],
    [
      "only hidden rows",
      () => workbookFile({ sheets: { A: '<row hidden="1"><c><v>1</v></c></row>' } }),
      "All rows of the sheet “A” are hidden.",
    ],
    [
      "too many columns",
      () => workbookFile({ sheets: { A: '<row><c r="CW1"><v>1</v></c></row>' } }),
      "This file has 101 columns; up to 100 can be read.",
    ],
    [
      "a missing part",
      () => workbookFile({ sheets: { A: "x" }, parts: { "xl/worksheets/sheet1.xml": null } }),
      "This workbook is damaged: not all of it can be read.",
    ],
    [
      "a text that is not there",
      () => workbookFile({ sheets: { A: '<row><c t="s"><v>3</v></c></row>' } }),
      "This workbook is damaged: not all of it can be read.",
    ],
    [
      "XML that ends early",
      () => workbookFile({ sheets: { A: "<row><c>" } }),
      "This workbook is damaged: not all of it can be read.",
    ],
    [
      "a file that ends early",
      async () => (await workbookFile({ sheets: { A: textRow("x") } })).slice(0, -30),
      "This workbook is damaged: not all of it can be read.",
    ],
  ])("%s", async (_, file, message) => {
    expect((await refusal(await file())).message).toBe(message)
  })

  test("more than 200 MB unpacked, also if the file says less", async () => {
    const deflater = createDeflater()
    const rows = new TextEncoder().encode("<row></row>".repeat(100_000))
    await deflater.write(new TextEncoder().encode("<worksheet>"))
    for (let written = 0; written <= 200_000_000; written += rows.length) await deflater.write(rows)
    const sheet = await deflater.end()
    const bomb = (size: number) =>
      workbookFile({ sheets: { A: "" }, parts: { "xl/worksheets/sheet1.xml": { ...sheet, size } } })
    const message = "Unpacked, this workbook has more than 200 MB."
    expect((await bomb(1000)).size).toBeLessThan(1_000_000)
    expect((await refusal(await bomb(sheet.size))).message).toBe(message)
    expect((await refusal(await bomb(1000))).message).toBe(message)
  })

  test("a changed byte anywhere changes no cell unnoticed", async () => {
    const bytes = new Uint8Array(
      await (await workbookFile({ sheets: { A: textRow("mem_1", "750") } })).arrayBuffer(),
    )
    const changed: unknown[] = []
    for (let at = 0; at < bytes.length; at += 1) {
      const file = new File([bytes.with(at, (bytes[at] ?? 0) ^ 1)], "a.xlsx")
      const result = await readWorkbook(file, {}, () => {}).catch((error: unknown) => error)
      if (!(result instanceof Refusal)) changed.push(result)
    }
    // Some bytes, such as dates, mean nothing.
    for (const table of changed) expect(table).toMatchObject({ rows: [["mem_1", "750"]] })
    expect(changed.length).toBeLessThan(bytes.length / 2)
  })
})
