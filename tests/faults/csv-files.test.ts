import { readdirSync, readFileSync } from "node:fs"
import { describe, expect, test } from "vitest"
import { rowSchemas } from "../support/row-schemas.ts"
import { testSheet } from "../support/import/open-sheet.ts"
import type { JobKind } from "../../contract/job-kinds.ts"

const folder = new URL("../fixtures/csv/", import.meta.url)

function fixture(name: string): File {
  return new File([readFileSync(new URL(name, folder))], name)
}

async function opened(name: string, recipe: JobKind = "award") {
  const sheet = testSheet(recipe)
  return { ...sheet, view: await sheet.open({ kind: "file", file: fixture(name) }) }
}

async function refusal(file: File) {
  const result = await testSheet("award").run.open({ kind: "file", file }, [])
  return "refusal" in result ? result.refusal.title : "not refused"
}

describe("the same table in different formats", () => {
  const variants = readdirSync(folder).filter(
    (name) => name.startsWith("same-") && !name.startsWith("same-file"),
  )

  test("there is a fixture for each format", () => expect(variants.length).toBeGreaterThanOrEqual(16))

  test.each(variants)("%s gives the same rows", async (name) => {
    const sheet = await opened(name)
    expect(await sheet.accepted()).toEqual([
      { member_id: "mem_0001", points: 1250, reason: "Café bonus, spring" },
      { member_id: "mem_0002", points: 900, reason: 'Said "thank you"' },
      { member_id: "mem_0003", points: 750, reason: "Größte Überraschung" },
      { member_id: "mem_0004", points: 600, reason: "Two\nlines" },
    ])
    expect(sheet.view.origin.notes).toEqual([])
  })

  test.each([
    ["same-utf8-bom.csv", "4 rows, comma, UTF-8"],
    ["same-utf16be.csv", "4 rows, comma, UTF-16 BE"],
    ["same-utf16le-bom.csv", "4 rows, comma, UTF-16 LE"],
    ["same-windows-1252.csv", "4 rows, comma, Windows-1252 (Western), guessed"],
    ["same-tab.tsv", "4 rows, tab, UTF-8"],
    ["same-sep-line.csv", "4 rows, semicolon, UTF-8"],
  ])("%s: the description says how it was read", async (name, words) => {
    expect((await opened(name)).view.description).toBe(words)
  })
})

describe("refusal message for an unreadable file", () => {
  test.each([
    ["picture.csv", "This file is a picture (PNG), not a table."],
    ["workbook.csv", "This workbook is damaged: not all of it can be read."],
    ["bytes.csv", "This file isn’t text."],
    ["empty.csv", "This file is empty."],
    ["only-names.csv", "It has column names but no rows."],
    ["columns-300.csv", "This file has 300 columns; up to 100 can be read."],
    ["open-quote.csv", "A quote in row 3 is never closed: everything after it would be one cell."],
  ])("%s", async (name, sentence) => {
    expect(await refusal(fixture(name))).toBe(sentence)
  })

  test("a 200 MB file is refused by its size without being read", async () => {
    let read = 0
    const huge = new File([], "huge.csv")
    Object.defineProperty(huge, "size", { value: 200_000_000 })
    Object.defineProperty(huge, "slice", {
      value: () => {
        read += 1
        return new Blob()
      },
    })
    expect(await refusal(huge)).toBe("This file has 200 MB; up to 30 MB can be read here.")
    expect(read).toBe(0)
  })

  test("more rows than a job accepts are refused", async () => {
    const many = new File([`member_id,points\n${"m,1\n".repeat(200_002)}`], "many.csv")
    expect(await refusal(many)).toBe("This file has 200,003 rows; up to 200,000 can be read.")
  })

  test("a repeated header row is reported as a problem", async () => {
    const sheet = await opened("two-name-lines.csv")
    expect(sheet.view.counts).toMatchObject({ all: 2, problems: 1, ready: 1 })
    expect((await sheet.findings())[2]).toContain("Repeated column names")
  })

  test("rows above the header are ignored, with a note", async () => {
    const sheet = await opened("title-above.csv")
    expect(sheet.view.origin.notes).toEqual(["Rows 1 to 2 are above the column names and are ignored."])
    expect(await sheet.accepted()).toEqual([{ member_id: "mem_1", points: 750, reason: "Bonus" }])
  })
})

describe("cell values", () => {
  test("a formula is never evaluated: it is flagged or refused", async () => {
    const sheet = await opened("formulas.csv")
    expect(await sheet.findings()).toEqual({
      2: ["Looks like a formula: confirm to keep it as text"],
      3: ["Looks like a formula: confirm to keep it as text"],
      4: ["Looks like a formula: confirm to keep it as text"],
      5: ["Looks like a formula: confirm to keep it as text"],
      6: ["A formula, not a number"],
      7: ["A formula, not a member id"],
    })
    await sheet.run.decide("check", "keep")
    const reasons = (await sheet.accepted()).map((row) => row["reason"])
    expect(reasons).toContain('=HYPERLINK("http://evil.example","click")')
    expect(reasons).toContain("=1+1")
  })

  test("text in every script is kept, normalized to NFC", async () => {
    const sheet = await opened("scripts.csv")
    const lines = readFileSync(new URL("scripts.csv", folder), "utf8").trim().split("\n").slice(1)
    expect(
      (await sheet.accepted()).map((row) => [row["member_id"], row["points"], row["reason"]].join(",")),
    ).toEqual(lines.map((line) => line.normalize("NFC")))
  })

  test.each([
    ["nul.csv", "Has a NUL character: enter it again"],
    ["control.csv", "Has a control character (U+0007)"],
    ["lone-surrogate-utf8.csv", "Has an unreadable character (U+FFFD)"],
    ["lone-surrogate-utf16.csv", "Has an unreadable character (U+FFFD)"],
  ])("%s: the bad cell is refused with its reason, the other rows are accepted", async (name, words) => {
    const sheet = await opened(name)
    expect(await sheet.findings()).toEqual({ 2: [words] })
    expect(await sheet.accepted()).toHaveLength(1)
  })

  test("a pasted lone surrogate is refused with its reason", async () => {
    const sheet = testSheet("award")
    await sheet.paste("member_id\tpoints\treason\nmem_1\t750\tBo\uD83Dnus")
    expect(await sheet.findings()).toEqual({ 2: ["Has an incomplete character (lone surrogate)"] })
  })

  test("leading zeros of ids and references are kept", async () => {
    expect(await (await opened("leading-zeros.csv")).accepted()).toEqual([
      { member_id: "000123", points: 750, reason: "Bonus", reference: "0000007" },
      { member_id: "007", points: 750, reason: "Bonus", reference: "00042" },
    ])
  })

  test("numbers that a spreadsheet shortened are refused with the reason", async () => {
    const sheet = await opened("e-notation.csv")
    expect(await sheet.findings()).toEqual({
      2: ["Shortened by a spreadsheet: digits are lost"],
      3: ["Shortened by a spreadsheet: enter it in full"],
      4: ["Shortened by a spreadsheet: digits are lost"],
    })
    expect(await sheet.accepted()).toHaveLength(1)
  })

  test("an unquoted comma is detected by the extra cell", async () => {
    const sheet = await opened("bare-comma.csv")
    expect(await sheet.findings()).toEqual({ 3: ["One extra cell"] })
    expect(sheet.view.included).toBe(3)
  })

  test("points with a decimal point are read as spreadsheets write them", async () => {
    const sheet = await opened("numbers-point.csv")
    const rows = await sheet.accepted()
    expect(rows.map((row) => row["member_id"])).toEqual(["mem_1", "mem_2", "mem_3", "mem_4", "mem_8"])
    expect(new Set(rows.map((row) => row["points"]))).toEqual(new Set([1250]))
    expect(await sheet.findings()).toEqual({
      6: ["Not a whole number"],
      7: ["Not a number"],
      8: ["1.25 or 1,250? Enter it without separators"],
      10: ["Not a number"],
      11: ["Below 0 it’s no award: leave this row out and deduct the points"],
      12: ["At least 1"],
      13: ["Not a number"],
    })
  })

  test("points with a decimal comma are read in a semicolon-separated file", async () => {
    const sheet = await opened("numbers-comma.csv")
    await sheet.run.decide("outlier", "keep")
    expect((await sheet.accepted()).map((row) => row["points"])).toEqual([1250, 1250, 1250, 1250, 1_234_567])
    expect(await sheet.findings()).toMatchObject({ 5: ["Not a whole number"] })
  })

  test.each([
    ["1,000", ";"],
    ["1.000", "\t"],
  ])(
    "%s as the only amount in a file separated by %j is ambiguous and not included",
    async (points, sign) => {
      const sheet = testSheet("award")
      const lines = [["member_id", "points", "reason"].join(sign), ["mem_1", points, "Bonus"].join(sign)]
      const view = await sheet.open({ kind: "file", file: new File([lines.join("\n")], "one.csv") })
      expect(await sheet.findings()).toEqual({ 2: ["1 or 1,000? Enter it without separators"] })
      expect(view.included).toBe(0)
    },
  )
})

describe("checks across rows", () => {
  test("a duplicate award is left out until a person includes it", async () => {
    const sheet = await opened("duplicates.csv")
    expect(await sheet.findings()).toEqual({ 4: ["Same as row 2"] })
    expect(sheet.view).toMatchObject({
      included: 3,
      leftOut: { duplicate: 1 },
      people: { members: 2, repeated: 1 },
    })
    const decided = await sheet.run.decide("duplicate", "keep")
    expect(decided).toMatchObject({
      view: { included: 4, acknowledged: { duplicate: 1 }, leftOut: { total: 0 } },
    })
  })

  test("the fingerprint ignores row order and format", async () => {
    const before = await (await opened("same-file-before.csv")).run.fingerprint()
    const again = await (await opened("same-file-again.csv")).run.fingerprint()
    expect(before).toMatch(/^[0-9a-f]{64}$/)
    expect(again).toEqual(before)
    expect(await (await opened("duplicates.csv")).run.fingerprint()).not.toEqual(before)
  })

  test("an amount with an extra zero is flagged", async () => {
    const sheet = await opened("outliers.csv")
    expect(await sheet.findings()).toEqual({ 22: ["10 times the usual 1,250"], 23: ["One zero too many?"] })
    expect(sheet.view.amounts).toMatchObject({ count: 20, usualFrom: 900, usualTo: 1100, max: 1250 })
  })

  test("a file without a header is mapped by its content", async () => {
    const sheet = await opened("no-names.csv")
    expect(sheet.view.origin.headerAt).toBeNull()
    expect(await sheet.accepted()).toEqual([
      { member_id: "mem_1", points: 750, reason: "Spring bonus" },
      { member_id: "mem_2", points: 900, reason: "Spring bonus" },
    ])
  })

  test("new members: headers in another language are mapped, one row per e-mail", async () => {
    const sheet = await opened("members.csv", "member-create")
    expect(await sheet.accepted()).toEqual([
      {
        email: "ana.silva@example.com",
        first_name: "Ana",
        last_name: "Silva",
        company: "Acme",
        phone: "+61 400 000 000",
      },
    ])
    expect(await sheet.findings()).toEqual({
      3: ["Not an e-mail address", "A last name is required"],
      4: ["Same as row 2"],
    })
  })
})

test("every accepted row is valid for the server", async () => {
  for (const name of readdirSync(folder).filter((each) => /\.[ct]sv$/.test(each))) {
    for (const kind of ["award", "deduct", "member-create", "order-update"] as const) {
      const sheet = testSheet(kind)
      const result = await sheet.run.open({ kind: "file", file: fixture(name) }, [])
      if ("refusal" in result) continue
      await sheet.run.decide("check", "keep")
      const refused = (await sheet.accepted()).map((row) => rowSchemas[kind].safeParse(row).error ?? null)
      expect({ name, refused: refused.filter((error) => error !== null) }).toEqual({ name, refused: [] })
    }
  }
})
