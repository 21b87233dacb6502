import { expect, test } from "vitest"
import { memoryDrafts } from "../../../tests/support/import/memory-drafts.ts"
import { testSheet } from "../../../tests/support/import/open-sheet.ts"
import { textRow, workbookFile } from "../../../tests/support/import/workbook-file.ts"

const names = textRow("member_id", "points", "reason")
const row = (id: string, points: string, reason = "Bonus", attributes = "") =>
  `<row${attributes}><c t="inlineStr"><is><t>${id}</t></is></c><c${points}</c><c t="inlineStr"><is><t>${reason}</t></is></c></row>`

async function opened(
  rows: string,
  more: Partial<Parameters<typeof workbookFile>[0]> = {},
  drafts = memoryDrafts(),
) {
  const sheet = testSheet("award", { drafts })
  const file = await workbookFile({ sheets: { Awards: names + rows }, ...more })
  return { ...sheet, view: await sheet.open({ kind: "file", file }), change: sheet.view }
}

test("a workbook becomes rows like a CSV file, and says what it is", async () => {
  const rows = row("0012345", "><v>1250</v>") + row("mem_2", ' s="1"><v>900</v>')
  const { accepted, view } = await opened(rows, { formats: [0, "#,##0"] })
  expect(await accepted()).toEqual([
    { member_id: "0012345", points: 1250, reason: "Bonus" },
    { member_id: "mem_2", points: 900, reason: "Bonus" },
  ])
  expect(view.description).toBe("2 rows, Excel")
})

test("a negative number in parentheses is no award, with the reason", async () => {
  const { findings } = await opened(row("mem_1", ' s="1"><v>-50</v>'), { formats: [0, "#,##0_);(#,##0)"] })
  expect(await findings()).toEqual({ 2: [expect.stringMatching(/^Below 0 it’s no award/)] })
})

test("an error, a formula without result and lost digits leave their row out", async () => {
  const long = '<row><c><v>12345678901234567</v></c><c><v>5</v></c><c t="str"><v>Bonus</v></c></row>'
  const rows = row("mem_1", ' t="e"><v>#N/A</v>') + row("mem_2", "><f>B2*2</f>") + long
  const { accepted, findings } = await opened(rows)
  expect(await accepted()).toEqual([])
  expect(await findings()).toEqual({
    2: ["A spreadsheet’s error"],
    3: ["The file has no result of this formula: open it in Excel, save it, and choose it again"],
    4: ["Excel keeps 15 digits of a number: the last ones of 12345678901234567 are lost"],
  })
})

test("an amount that Excel rounds has to be confirmed or corrected", async () => {
  const { run, rows, accepted, change } = await opened(row("mem_1", ' s="1"><v>12.4</v>'), {
    formats: [0, "0"],
  })
  expect(await accepted()).toEqual([])
  const [first] = await rows()
  const [problem] = first?.problems ?? []
  expect(problem).toMatchObject({
    severity: "check",
    text: "Excel shows 12, the cell holds 12.4",
    fix: { text: "12.4" },
  })
  await change((sheet) => sheet.edit([{ id: first?.id ?? 0, column: 1, text: "13" }]))
  expect((await run.window(0, 1))[0]?.problems).toEqual([])
  expect(await accepted()).toEqual([{ member_id: "mem_1", points: 13, reason: "Bonus" }])
})

test("a shortened id is refused until all digits are used", async () => {
  const { findings, accepted, change } = await opened(
    '<row><c><v>123456789012</v></c><c><v>5</v></c><c t="str"><v>Bonus</v></c></row>',
  )
  expect(await findings()).toEqual({ 2: ["Excel shows 1.23457E+11, the cell holds 123456789012"] })
  await change((sheet) => sheet.reread({ allDigits: true }, []))
  expect(await accepted()).toEqual([{ member_id: "123456789012", points: 5, reason: "Bonus" }])
})

test("hidden rows are left out until they are chosen; other choices stay", async () => {
  const rows = row("mem_1", "><v>5</v>") + row("mem_2", "><v>6</v>", "Bonus", ' hidden="1"')
  const { accepted, view, change } = await opened(rows, {
    sheets: { Awards: names + rows, Other: textRow("x") },
    hidden: ["Other"],
  })
  expect(view.origin.excel?.found).toEqual({ hiddenRows: 1, hiddenColumns: 0, shortened: 0 })
  expect(view.description).toBe("1 row, sheet Awards")
  await change((sheet) => sheet.reread({ hiddenRows: true }, []))
  const after = await change((sheet) => sheet.reread({ style: "," }, []))
  expect(after.origin).toMatchObject({ style: ",", excel: { sheet: "Awards", hiddenRows: true } })
  expect(await accepted()).toHaveLength(2)
})

test("numbers keep their value in both number styles", async () => {
  const rows = row("mem_1", ' s="1"><v>1250</v>') + row("mem_2", "><v>1.125</v>")
  const { rows: shown, findings, change } = await opened(rows, { formats: [0, "#,##0.00"] })
  expect((await shown()).map(({ texts }) => texts[1])).toEqual(["1,250.00", "1.125"])
  await change((sheet) => sheet.reread({ style: "," }, []))
  expect((await shown()).map(({ texts }) => texts[1])).toEqual(["1.250,00", "1,125"])
  expect(Object.keys(await findings())).toEqual(["3"])
})

test("several sheets are a question; the chosen one is opened", async () => {
  const file = await workbookFile({
    sheets: { May: names + row("mem_5", "><v>5</v>"), June: names + row("mem_6", "><v>6</v>") },
  })
  const sheet = testSheet("award")
  expect(await sheet.run.open({ kind: "file", file }, [])).toEqual({
    refusal: {
      title: "Which of 2 sheets do you want to import?",
      help: "One sheet is imported at a time. Nothing was opened yet.",
      file: "awards.xlsx",
      sheets: ["May", "June"],
    },
  })
  const view = await sheet.open({ kind: "file", file, sheet: "June" })
  expect(view.description).toBe("1 row, sheet June")
  await sheet.view((open) => open.reread({ sheet: "May" }, []))
  expect(await sheet.accepted()).toEqual([{ member_id: "mem_5", points: 5, reason: "Bonus" }])
})

test("a draft keeps what was found in the cells", async () => {
  const drafts = memoryDrafts()
  const { run } = await opened(row("mem_1", ' s="1"><v>12.5</v>'), { formats: [0, "0"] }, drafts)
  await run.flush()
  const next = testSheet("award", { drafts })
  const view = await next.view((sheet) => sheet.restore())
  expect(view.origin.excel?.sheet).toBe("Awards")
  expect(await next.findings()).toEqual({ 2: ["Excel shows 13, the cell holds 12.5"] })
})
