import { readFileSync } from "node:fs"
import { describe, expect, test } from "vitest"
import { encodingNames } from "../../src/import/recipe.ts"
import type { JobKind } from "../../contract/job-kinds.ts"
import { testSheet } from "../support/import/open-sheet.ts"

const folder = new URL("../fixtures/csv/", import.meta.url)

async function opened(name: string, recipe: JobKind = "award") {
  const sheet = testSheet(recipe)
  const file = new File([readFileSync(new URL(name, folder))], name)
  return { ...sheet, view: await sheet.open({ kind: "file", file }) }
}

describe("encoding of a file", () => {
  test.each([
    [
      "members-macroman.csv",
      "macintosh",
      [
        ["José", "Muñoz"],
        ["Zoë", "Strauß"],
      ],
    ],
    ["members-windows-1251.csv", "windows-1251", [["Иван", "Петров"]]],
  ] as const)(
    "%s: the guessed encoding is reported, and %s is read correctly",
    async (name, encoding, names) => {
      const sheet = await opened(name, "member-create")
      expect(sheet.view.origin.encoding).toBe("windows-1252")
      const right = sheet.view.origin.guess?.find((each) => each.encoding === encoding)
      expect(right?.cells).toEqual(names.flat().slice(0, 3))
      const result = await sheet.run.reread({ encoding }, [])
      expect(result).toMatchObject({ view: { origin: { encoding, guess: null } } })
      expect((await sheet.accepted()).map((row) => [row["first_name"], row["last_name"]])).toEqual(names)
    },
  )

  test("double-encoded UTF-8 is recognised, and can be read undecoded", async () => {
    const sheet = await opened("members-double-utf8.csv", "member-create")
    expect(sheet.view.origin.encoding).toBe("utf-8-twice")
    const names = async () => (await sheet.accepted()).map((row) => [row["first_name"], row["last_name"]])
    expect(await names()).toEqual([
      ["José", "Muñoz"],
      ["Zoë", "Strauß"],
    ])
    await sheet.run.reread({ encoding: "utf-8" }, [])
    expect((await names())[0]).toEqual(["JosÃ©", "MuÃ±oz"])
  })

  test("changing the delimiter keeps the encoding guess", async () => {
    const sheet = await opened("members-macroman.csv", "member-create")
    const result = await sheet.run.reread({ delimiter: "," }, [])
    expect(result).toMatchObject({ view: { origin: { guess: expect.any(Array) } } })
  })

  test.each(["same-utf8.csv", "same-utf8-bom.csv", "scripts.csv", "members-names.csv", "same-utf16le.csv"])(
    "%s needs no encoding guess",
    async (name) => expect((await opened(name)).view.origin.guess).toBeNull(),
  )

  test.each(encodingNames.filter((name) => name !== "utf-8-twice"))(
    "%s is supported by TextDecoder",
    (name) => {
      expect(() => new TextDecoder(name)).not.toThrow()
    },
  )
})

describe("members of rows", () => {
  const members = [
    { id: "mem_0001", name: "Ana Silva", email: "ana@site.example", status: "active" },
    { id: "mem_0002", name: "Kieran Doyle", email: "kieran@site.example", status: "Inactive" },
    { id: "mem_0003", name: "Mia Chen", email: "mia@site.example", status: "pending" },
    { id: "mem_0004", name: "Sam Lee", email: "sam@site.example", status: "active" },
    { id: "mem_0005", name: "Sam Lee", email: "sam.lee@site.example", status: "active" },
  ]

  async function award(...who: readonly string[]) {
    const sheet = testSheet("award")
    await sheet.paste(
      ["member\tpoints\treason", ...who.map((one, at) => `${one}\t${at + 5}\tBonus`)].join("\n"),
    )
    await sheet.view((open) => open.setFacts({ members }))
    return sheet
  }

  test("inactive and pending members are flagged for a check, by id and by e-mail", async () => {
    const sheet = await award("mem_0001", "mem_0002", "MIA@site.example", "mem_0009")
    expect(await sheet.findings()).toEqual({ 3: ["This member is inactive"], 4: ["This member is pending"] })
    expect(await sheet.accepted()).toHaveLength(2)
    await sheet.run.decide("check", "keep")
    expect(await sheet.accepted()).toHaveLength(4)
  })

  test("a member name is a problem with the matching member as a fix; an ambiguous name has no fix", async () => {
    const sheet = await award("kieran  Doyle", "mem_00 04", "Sam Lee", "Jo Nobody")
    const problems = (await sheet.rows()).flatMap((row) => row.problems)
    expect(problems.map(({ severity }) => severity)).toEqual(["problem", "problem", "problem", "problem"])
    expect(problems.map(({ fix }) => fix)).toEqual([
      { text: "mem_0002", label: "Use Kieran Doyle: kieran@site.example" },
      { text: "mem_0004", label: "Use Sam Lee: sam@site.example" },
      undefined,
      undefined,
    ])
    expect(problems[2]?.text).toBe("2 members are called Sam Lee: enter the id or e-mail")
    expect(await sheet.run.memberNames(2)).toEqual(["kieran  Doyle", "mem_00 04"])
  })

  test("an id in an unusual format is flagged for a check", async () => {
    const sheet = await award("mem_0001", "42", "ord_20411", "mem_99999")
    const text = "Unlike other member ids, such as mem_0001"
    expect(await sheet.findings()).toEqual({ 3: [text], 4: [text] })
  })

  test("names and spaces are problems even before any member was read", async () => {
    const sheet = testSheet("award")
    await sheet.paste("member\tpoints\treason\nKieran Doyle\t5\tBonus")
    expect(await sheet.findings()).toEqual({ 2: ["Has spaces: not a member id or e-mail"] })
  })
})

describe("cells without a usable value", () => {
  test("spreadsheet errors are problems; placeholders are left out until a person includes them", async () => {
    const sheet = await opened("tracking-excel-errors.csv", "order-update")
    expect(sheet.view).toMatchObject({ included: 0, counts: { problems: 5, checks: 3 } })
    expect((await sheet.findings())[6]).toEqual(["A spreadsheet’s error"])
  })

  test.each(["#BEZUG!", "#¡VALOR!", "#ДЕЛ/0!"])("%s is a problem in every field", async (error) => {
    const sheet = testSheet("award")
    const cells = ["mem_1", "100", "Bonus", "INV-1", "north"]
    const lines = cells.map((_, at) => cells.with(at, error).join("\t"))
    const view = await sheet.paste(
      ["member_id\tpoints\treason\treference\tmetadata.region", ...lines].join("\n"),
    )
    expect(view.counts).toMatchObject({ problems: cells.length, ready: 0 })
  })

  test.each([
    ["26-Mar", undefined],
    ["26/03/2026", undefined],
    ["none", undefined],
    ["see below", undefined],
    ["3600123456780010.0", "3600123456780010"],
    ["https://auspost.com.au/mypost/track/details/33QK12345678", "33QK12345678"],
    ["https://www.fedex.com/fedextrack/?trknbr=771234567890&cntry=us", "771234567890"],
    ["https://track.sendle.com/tracking?ref=S3ND73", "S3ND73"],
  ])("%s in a tracking column is to check, with the number in it offered", async (text, number) => {
    const sheet = testSheet("order-update")
    const view = await sheet.paste(`order id\ttracking\nord_1\t${text}`)
    expect(view.counts).toMatchObject({ checks: 1 })
    const [row] = await sheet.rows()
    const [problem] = row?.problems ?? []
    expect(problem?.fix?.text).toBe(number)
    if (row === undefined || number === undefined) return
    await sheet.run.edit([{ id: row.id, column: 1, text: number }])
    expect(await sheet.accepted()).toEqual([{ order_id: "ord_1", tracking_number: number }])
  })

  test("text in a formula of text, or behind an apostrophe, is that text", async () => {
    const sheet = await opened("tracking-formula-text.csv", "order-update")
    expect((await sheet.accepted()).map((row) => row["tracking_number"])).toEqual([
      "0034000123456789",
      "0034000123456790",
    ])
  })

  test("an apostrophe that begins a name is part of it", async () => {
    const sheet = testSheet("member-create")
    await sheet.paste("email\tfirst name\tlast name\n'jan@site.example\tJan\t't Hooft")
    expect(await sheet.accepted()).toEqual([
      { email: "jan@site.example", first_name: "Jan", last_name: "'t Hooft" },
    ])
  })

  test("a column of numbers that all end in 0 is to check", async () => {
    const sheet = await opened("tracking-16-digits-all-end-in-0.csv", "order-update")
    expect(sheet.view.counts).toMatchObject({ all: 12, checks: 12 })
  })

  test("numbers that lost their zeros are to check, with the zeros offered", async () => {
    const sheet = await opened("tracking-lost-zeros.csv", "order-update")
    const fixes = (await sheet.rows()).flatMap(({ problems }) => problems.map(({ fix }) => fix?.text))
    expect(fixes).toEqual(["0034000123456703", "0034000123456705"])
  })
})

describe("invisible characters", () => {
  test("format characters are removed from ids and numbers, and the removal is reported", async () => {
    const sheet = await opened("tracking-invisible.csv", "order-update")
    expect((await sheet.accepted()).map((row) => Object.values(row).join(" "))).toEqual([
      "ord_20409 33QK12345678 Australia Post",
      "ord_20408 33QK12345679 Australia Post",
      "ord_20407 33QK12345670 Australia Post",
      "ord_20406 33QK12345671 Australia Post",
      "ord_20404 33QK12345672 Australia Post",
    ])
    expect(sheet.view.cleaned).toEqual({ cells: 5, labels: ["Order number", "Tracking number"] })
  })

  test("names are normalized to NFC and keep their joiners", async () => {
    const decomposed = await opened("members-decomposed.csv", "member-create")
    expect(await decomposed.accepted()).toMatchObject([{ first_name: "José", last_name: "Muñoz" }])
    const names = await opened("members-names.csv", "member-create")
    expect((await names.accepted())[1]).toMatchObject({ first_name: "👩\u200D🚀" })
    expect(names.view.cleaned.cells).toBe(0)
  })

  test("metadata is kept unchanged", async () => {
    const sheet = testSheet("award")
    await sheet.paste("member_id\tpoints\treason\tmetadata.a\u200Bb\nmem_1\t5\tBonus\tx\u200By e\u0301")
    expect(await sheet.accepted()).toMatchObject([{ metadata: { "a\u200Bb": "x\u200By e\u0301" } }])
  })
})

describe("columns and rows of a file", () => {
  test("duplicate column names: no row is included until a person chooses a column", async () => {
    const sheet = await opened("points-duplicate-headers.csv")
    expect(sheet.view).toMatchObject({
      included: 0,
      missing: [
        {
          fields: ["points"],
          choices: [
            { column: 1, texts: ["100"] },
            { column: 2, texts: ["900"] },
          ],
        },
      ],
    })
    await sheet.run.map(2, "points")
    expect(await sheet.accepted()).toMatchObject([{ points: 900 }])
  })

  test("duplicate columns of an optional field: a person may choose none", async () => {
    const sheet = testSheet("award")
    const view = await sheet.paste("member_id\tpoints\treason\tRef\tRef\nmem_1\t5\tBonus\tA\tB")
    expect(view).toMatchObject({ included: 0, missing: [{ fields: ["reference"] }] })
    expect(await sheet.view((open) => open.chooseNone("reference"))).toMatchObject({
      included: 1,
      missing: [],
    })
  })

  test.each([
    ["points-total-row.csv", [100, 150]],
    ["points-concatenated.csv", [11, 12]],
    ["points-trailing-commas.csv", [100, 150]],
    ["points-merged-cells.tsv", [100]],
  ])("%s: only member rows are read", async (name, points) => {
    const sheet = await opened(name)
    expect((await sheet.accepted()).map((row) => row["points"])).toEqual(points)
  })

  test("full-width digits are read; units and negative numbers in brackets are refused", async () => {
    const sheet = await opened("points-fullwidth.csv")
    expect(await sheet.accepted()).toMatchObject([{ points: 250 }])
    expect(await sheet.findings()).toEqual({ 3: ["Not a number"], 4: [expect.stringMatching(/^Below 0/)] })
  })

  test("card amounts are read correctly or refused", async () => {
    const sheet = await opened("cards-money.csv", "giftcard")
    await sheet.run.decide("outlier", "keep")
    expect((await sheet.accepted()).map((row) => row["denomination"])).toEqual([50, 1000, 50, 1000])
  })
})
