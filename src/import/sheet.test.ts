import { rowSchemas } from "../../tests/support/row-schemas.ts"
import { describe, expect, test } from "vitest"
import { toCsv } from "../lib/csv.ts"
import { dropImportsOf } from "../lib/import-drafts.ts"
import { memoryDrafts } from "../../tests/support/import/memory-drafts.ts"
import { loadMapping } from "./mapping.ts"
import { metadataLabel } from "./recipe.ts"
import type { SheetCalls } from "./sheet-worker.ts"
import { testSheet } from "../../tests/support/import/open-sheet.ts"

const table =
  "member_id\tpoints\treason\nmem_1\t750\tBonus\nmem_2\tmany\tBonus\nmem_1\t750\tBonus\nmem_3\t900\t"

/** The row with a number in the view. */
async function rowOf(sheet: ReturnType<typeof testSheet>, number: number) {
  const row = (await sheet.rows()).find((each) => each.number === number)
  if (row === undefined) throw new Error(`No row ${number}.`)
  return row
}

async function pasted() {
  const sheet = testSheet("award")
  return { sheet, view: await sheet.paste(table) }
}

describe("rows to compare with earlier ones", () => {
  /** All parts, with the ids in each. */
  async function parts(sheet: ReturnType<typeof testSheet>, most: { rows: number; bytes: number }) {
    const given: { ids: readonly number[]; texts: readonly string[] }[] = []
    for (let from: number | null = 0; from !== null;) {
      const part: Awaited<ReturnType<SheetCalls["comparable"]>> = await sheet.run.comparable(from, most)
      given.push({ ids: [...part.texts.keys()], texts: [...part.texts.values()] })
      from = part.next
    }
    return given
  }

  test("are those without a problem, each once and in order, in parts of a number of rows", async () => {
    const { sheet } = await pasted()
    const more = Array.from({ length: 6 }, (_, at) => `mem_${at + 10}\t${at + 1}\tBonus`)
    await sheet.paste([table, ...more].join("\n"))
    const given = await parts(sheet, { rows: 3, bytes: 10_000 })
    expect(given.map(({ ids }) => ids.length)).toEqual([3, 3, 2])
    const [all] = await parts(sheet, { rows: 100, bytes: 10_000 })
    expect(given.flatMap(({ ids }) => ids)).toEqual(all?.ids)
    const rows = given.flatMap(({ texts }) => texts).map((text) => rowSchemas.award.parse(JSON.parse(text)))
    expect(rows.map(({ member_id }) => member_id)).toEqual([
      "mem_1",
      "mem_1",
      ...more.map((line) => line.slice(0, 6)),
    ])
    // An excluded row is no longer compared.
    await sheet.view((open) => open.decide([all?.ids[3] ?? -1], "leave"))
    expect((await parts(sheet, { rows: 3, bytes: 10_000 })).flatMap(({ ids }) => ids)).toEqual(
      all?.ids.filter((_, at) => at !== 3),
    )
  })

  test("are returned in parts of a number of bytes of JSON, with at least one row", async () => {
    const sheet = testSheet("award")
    const lines = Array.from({ length: 30 }, (_, at) => `mem_${at}\t5\t${"é€😀".repeat(at)}x`)
    await sheet.paste(["member_id\tpoints\treason", ...lines].join("\n"))
    const given = await parts(sheet, { rows: 100, bytes: 300 })
    expect(given.flatMap(({ ids }) => ids)).toHaveLength(30)
    const shared = given.filter(({ ids }) => ids.length > 1)
    expect(shared.length).toBeGreaterThan(1)
    for (const { texts } of shared)
      expect(new TextEncoder().encode(`${texts.join(",")},`).length).toBeLessThanOrEqual(300)
  })
})

describe("working on rows", () => {
  test("a problem excludes a row, a check does until it is confirmed", async () => {
    const { view } = await pasted()
    expect(view.counts).toEqual({ all: 4, problems: 2, checks: 1, ready: 1, out: 0 })
    expect(view.leftOut).toMatchObject({ duplicate: 1, total: 3 })
    expect(view.included).toBe(1)
  })

  test("a corrected row stays in the view until the filter is chosen again", async () => {
    const { sheet } = await pasted()
    await sheet.view((open) => open.filter("problems"))
    const row = await rowOf(sheet, 3)
    const view = await sheet.view((open) => open.edit([{ id: row.id, column: 1, text: " 1,000 " }]))
    expect(view).toMatchObject({ shown: 2, counts: { problems: 1, ready: 2 } })
    expect(await rowOf(sheet, 3)).toMatchObject({ standing: "ready", shown: ["mem_2", "1,000", "Bonus"] })
    expect(await sheet.view((open) => open.filter("problems"))).toMatchObject({ shown: 1 })
  })

  test("a confirmation ends when another column is mapped to the points", async () => {
    const sheet = testSheet("award")
    const amounts = (at: number) => (at === 0 ? "1500\t90000" : "100\t100")
    const lines = Array.from({ length: 8 }, (_, at) => `mem_${at + 1}\t${amounts(at)}\tQ3`)
    await sheet.paste(["Member\tPoints\tOld points\tReason", ...lines].join("\n"))
    const { id } = await rowOf(sheet, 2)
    expect(await sheet.view((open) => open.decide([id], "keep"))).toMatchObject({ included: 8 })
    expect(await sheet.view((open) => open.map(2, "points"))).toMatchObject({ included: 7 })
  })

  test("editing a confirmed row ends the confirmation, and undo restores both", async () => {
    const { sheet } = await pasted()
    const { id } = await rowOf(sheet, 4)
    expect(await sheet.view((open) => open.decide([id], "keep"))).toMatchObject({ included: 2 })
    expect(await sheet.view((open) => open.edit([{ id, column: 2, text: "bonus" }]))).toMatchObject({
      included: 1,
      acknowledged: { duplicate: 0 },
    })
    expect(await sheet.view((open) => open.undo())).toMatchObject({
      included: 2,
      acknowledged: { duplicate: 1 },
    })
    expect(await sheet.view((open) => open.undo())).toMatchObject({ included: 1, canUndo: false })
  })

  test("a row excluded by hand is not compared with other rows", async () => {
    const { sheet } = await pasted()
    const { id } = await rowOf(sheet, 2)
    const view = await sheet.view((open) => open.decide([id], "leave"))
    expect(view).toMatchObject({
      counts: { checks: 0, ready: 1, out: 1 },
      included: 1,
    })
    expect(await sheet.view((open) => open.undo())).toMatchObject({ counts: { checks: 1, ready: 1, out: 0 } })
  })

  test("undo restores a deleted row at its position", async () => {
    const { sheet } = await pasted()
    const { id } = await rowOf(sheet, 3)
    expect(await sheet.view((open) => open.remove(id))).toMatchObject({ shown: 3, counts: { all: 3 } })
    await sheet.view((open) => open.undo())
    expect((await sheet.rows()).map((row) => row.number)).toEqual([2, 3, 4, 5])
  })

  test("F8 moves from problem to problem, wrapping around", async () => {
    const { sheet } = await pasted()
    const next = (position: number, step: 1 | -1) => sheet.run.next({ position, column: 0 }, step)
    expect(await next(0, 1)).toEqual({ position: 1, column: 1 })
    expect(await next(1, 1)).toEqual({ position: 2, column: 0 })
    expect(await next(3, 1)).toEqual({ position: 1, column: 1 })
    expect(await next(1, -1)).toEqual({ position: 3, column: 2 })
  })

  test("a range is pasted from a cell on, adding missing rows", async () => {
    const { sheet } = await pasted()
    const view = await sheet.view((open) => open.paste({ position: 3, column: 1 }, "1\tOne\r\n2\tTwo\r\n"))
    expect(view.counts.all).toBe(5)
    expect(await rowOf(sheet, 5)).toMatchObject({ texts: ["mem_3", "1", "One"], standing: "ready" })
    expect(await rowOf(sheet, 6)).toMatchObject({ texts: ["", "2", "Two"], standing: "problem" })
    expect(await sheet.view((open) => open.undo())).toMatchObject({ counts: { all: 4 } })
  })

  test("rows added by hand count once they are not empty", async () => {
    const sheet = testSheet("award")
    expect(await sheet.open({ kind: "blank" })).toMatchObject({ included: 0, leftOut: { total: 0 } })
    const [first] = await sheet.rows()
    const edits = ["mem_1", "750", "Bonus"].map((text, column) => ({ id: first?.id ?? 0, column, text }))
    expect(await sheet.view((open) => open.edit(edits))).toMatchObject({ included: 1, leftOut: { total: 0 } })
  })
})

describe("columns", () => {
  test("a field without a column is missing until it is mapped or has a value for all rows", async () => {
    const sheet = testSheet("award")
    const view = await sheet.paste("member_id\tpts\nmem_1\t750")
    expect(view).toMatchObject({
      missing: [{ label: "Reason", fields: ["reason"] }],
      included: 0,
      leftOut: { total: 0 },
    })
    expect(await sheet.view((open) => open.fill("reason", "x".repeat(501)))).toMatchObject({
      constantProblems: { reason: "At most 500 characters" },
      included: 0,
    })
    await sheet.view((open) => open.fill("reason", "Q3 bonus"))
    expect(await sheet.accepted()).toEqual([{ member_id: "mem_1", points: 750, reason: "Q3 bonus" }])
    const added = await sheet.view((open) => open.addColumn("reason"))
    expect(added.columns.at(-1)).toMatchObject({ name: "Reason", field: "reason" })
    expect(added.counts.problems).toBe(1)
  })

  test("a field is mapped to one column at most", async () => {
    const { sheet } = await pasted()
    const view = await sheet.view((open) => open.map(0, "reason"))
    expect(view.columns.map((column) => column.field)).toEqual(["reason", "points", null])
    expect(view.missing).toEqual([{ label: "Member id or e-mail", fields: ["member_id", "email"] }])
  })

  test("a member id has precedence over an e-mail, which is used where the id is empty", async () => {
    const sheet = testSheet("award")
    await sheet.paste("id\temail\tpoints\treason\nmem_1\tno address\t1\tB\n\tana@example.com\t2\tB\n\t\t3\tB")
    expect(await sheet.accepted()).toEqual([
      { member_id: "mem_1", points: 1, reason: "B" },
      { email: "ana@example.com", points: 2, reason: "B" },
    ])
    expect(await sheet.findings()).toEqual({ 4: ["A member id or an e-mail is required"] })
  })
})

test("a mark of the page excludes rows until their cell is edited", async () => {
  const { sheet } = await pasted()
  const mark = { field: "member_id", severity: "problem", text: "Member not found", number: 2 } as const
  expect(await sheet.view((open) => open.mark([mark]))).toMatchObject({ counts: { problems: 3 } })
  const { id } = await rowOf(sheet, 2)
  expect(await sheet.view((open) => open.edit([{ id, column: 0, text: "mem_9" }]))).toMatchObject({
    counts: { problems: 2 },
  })
})

test("excluded rows are exported with the reason and without formulas", async () => {
  const { sheet } = await pasted()
  const { id } = await rowOf(sheet, 3)
  await sheet.view((open) => open.edit([{ id, column: 0, text: "=mem" }]))
  expect(toCsv(await sheet.run.excludedTable())).toBe(
    [
      "Row,member_id,points,reason,Why",
      '3,"\'=mem",many,Bonus,"A formula, not a member id; Not a number"',
      "4,mem_1,750,Bonus,Same as row 2",
      "5,mem_3,900,,A reason is required",
    ].join("\r\n"),
  )
})

describe("a draft", () => {
  async function workedOn(drafts: ReturnType<typeof memoryDrafts>, now = 1000) {
    const sheet = testSheet("award", { drafts, now: () => now })
    await sheet.paste(table)
    const { id } = await rowOf(sheet, 3)
    await sheet.view((open) => open.edit([{ id, column: 1, text: "1000" }]))
    await sheet.view((open) => open.decide("duplicate", "keep"))
    await sheet.view((open) => open.addRow())
    await sheet.view((open) => open.choose({ mode: "single" }))
    await sheet.run.flush()
    return sheet
  }
  const keyOf = async (sheet: ReturnType<typeof testSheet>) => {
    const result = await sheet.run.filter("all")
    return "key" in result ? result.key : null
  }

  test("restores rows, edits, decisions, choices and the key", async () => {
    const drafts = memoryDrafts()
    const before = await workedOn(drafts)
    const after = testSheet("award", { drafts, now: () => 2000 })
    const view = await after.view((open) => open.restore())
    expect(view).toMatchObject({
      restoredAt: 1000,
      choices: { mode: "single" },
      included: 3,
      acknowledged: { duplicate: 1 },
    })
    expect(await after.accepted()).toEqual(await before.accepted())
    expect(await after.rows()).toEqual(await before.rows())
    expect(await keyOf(after)).toBe(await keyOf(before))
  })

  test("stays deleted after signing out, even if an open page still writes", async () => {
    const drafts = memoryDrafts()
    const sheet = await workedOn(drafts)
    const { id } = await rowOf(sheet, 3)
    await dropImportsOf(drafts, "usr_1")
    await sheet.view((open) => open.edit([{ id, column: 1, text: "1001" }]))
    await sheet.run.flush()
    expect(await drafts.keys()).toEqual([])
  })

  test("is never restored for another user or recipe", async () => {
    const drafts = memoryDrafts()
    await workedOn(drafts)
    for (const other of [testSheet("award", { drafts, userId: "usr_2" }), testSheet("deduct", { drafts })]) {
      expect(await other.run.restore()).toMatchObject({ view: null })
    }
  })

  test("is deleted once its job is started, and the next one has another key", async () => {
    const drafts = memoryDrafts()
    const sheet = await workedOn(drafts)
    const key = await keyOf(sheet)
    const cleared = await sheet.run.clear()
    expect(cleared).toMatchObject({ view: null })
    expect(cleared).not.toMatchObject({ key })
    expect(await testSheet("award", { drafts }).run.restore()).toMatchObject({ view: null })
  })

  test("is deleted after 14 days, including its rows", async () => {
    const drafts = memoryDrafts()
    const day = 24 * 3_600_000
    await workedOn(drafts)
    const late = testSheet("deduct", { drafts, now: () => 1000 + 14 * day + 1 })
    await late.run.restore()
    expect(await drafts.keys()).toEqual([])
  })

  test("that is invalid is ignored", async () => {
    const drafts = memoryDrafts()
    await drafts.write("import:award:usr_1:state", { version: 7 })
    await drafts.write("import:award:usr_1:rows", "something")
    expect(await testSheet("award", { drafts }).run.restore()).toMatchObject({ view: null })
  })
})

test("a refused file leaves the open sheet unchanged", async () => {
  const { sheet } = await pasted()
  const refused = await sheet.run.open({ kind: "paste", text: " " }, [])
  expect(refused).toMatchObject({ refusal: { title: "There was nothing to paste.", file: undefined } })
  const empty = await sheet.run.open({ kind: "file", file: new File([], "empty.csv") }, [])
  expect(empty).toMatchObject({ refusal: { title: "This file is empty.", file: "empty.csv" } })
  expect(await sheet.rows()).toHaveLength(4)
})

test("a file is read again with the chosen options", async () => {
  const sheet = testSheet("award")
  await sheet.paste("mem_1;1.250;Spring bonus\nmem_2;900;Spring bonus")
  expect(await sheet.accepted()).toHaveLength(2)
  const view = await sheet.view((open) => open.reread({ headerAt: 0 }, []))
  expect(view).toMatchObject({ counts: { all: 1 }, origin: { headerAt: 0 }, canReread: true })
})

test("an award accepts any e-mail address; a new member needs a valid one", async () => {
  const emails = [
    "r&d@site.example",
    "sales/nsw@site.example",
    "ivan@xn--e1afmkfd.xn--p1ai",
    "jo@müller.example",
  ]
  const unusual = ["first.last.@site.example", "a..b@site.example"]
  const all = [...emails, ...unusual, "Jane Doe <jane@site.example>"]
  const award = testSheet("award")
  await award.paste(["email\tpoints\treason", ...all.map((email) => `${email}\t5\tBonus`)].join("\n"))
  expect(await award.accepted()).toMatchObject([...emails, ...unusual].map((email) => ({ email })))
  const created = testSheet("member-create")
  await created.paste(
    ["email\tfirst name\tlast name", ...all.map((email) => `${email}\tAna\tDee`)].join("\n"),
  )
  expect(await created.accepted()).toMatchObject(emails.map((email) => ({ email })))
})

test.each(["award", "member-update", "member-create", "book-match"] as const)(
  "an e-mail copied as a link is its address in a file of %s, and an id stays as it is",
  async (kind) => {
    const sheet = testSheet(kind)
    const names = "e-mail\tpoints\treason\tfirst name\tlast name\tdate"
    const who = ["mailto:ana@site.test", "MAILTO:Bec@site.test?subject=Hi", "MEM_9"]
    const rows = who.map((text) => `${text}\t5\tBonus\tAna\tDee\t2026-10-05`)
    await sheet.paste([names, ...rows].join("\n"))
    expect((await sheet.accepted()).map((row) => row["email"] ?? row["member"] ?? row["member_id"])).toEqual([
      "ana@site.test",
      "Bec@site.test",
      // A new member has an e-mail.
      ...(kind === "member-create" ? [] : ["MEM_9"]),
    ])
  },
)

test("each cell identifies its member by id or e-mail, whichever column it is in", async () => {
  const sheet = testSheet("award")
  const view = await sheet.paste(
    [
      "member_id\temail\tpoints\treason",
      "ana@site.test\t\t1\tBonus",
      "mem_2\t\t2\tBonus",
      "\tmem_3\t3\tBonus",
      "\tbec@site.test\t4\tBonus",
      "Weird id / 7\t\t5\tBonus",
      "cy@\t\t6\tBonus",
      "\tcy1.site.test\t7\tBonus",
      "\tn/a\t8\tBonus",
    ].join("\n"),
  )
  expect(await sheet.accepted()).toEqual([
    { email: "ana@site.test", points: 1, reason: "Bonus" },
    { member_id: "mem_2", points: 2, reason: "Bonus" },
    { member_id: "mem_3", points: 3, reason: "Bonus" },
    { email: "bec@site.test", points: 4, reason: "Bonus" },
  ])
  expect(await sheet.findings()).toEqual({
    6: ["Has spaces: not a member id or e-mail"],
    7: ["Not an e-mail address"],
    8: ["Not an e-mail address or a member id"],
    9: ["Not an e-mail address or a member id"],
  })
  // Members are counted by how they are identified, which decides the number of requests.
  expect(view.people).toMatchObject({ members: 4, byEmail: 2 })
})

test("metadata columns become metadata keys of awards and new members, not of deductions", async () => {
  const award = testSheet("award")
  const head =
    "member_id\tpoints\treason\tmetadata.region\tMetadata.Dealer code\tmetadata.region\tmetadata.\tnote"
  const opened = await award.paste(
    `${head}\nmem_1\t1\tBonus\tQLD\t 007 \tx\tx\thigh\nmem_2\t2\tBonus\t\t\t\t\t`,
  )
  expect(opened.columns.map(({ field }) => field)).toEqual([
    "member_id",
    "points",
    "reason",
    "metadata.region",
    "metadata.Dealer code",
    null,
    null,
    null,
  ])
  expect(await award.accepted()).toEqual([
    { member_id: "mem_1", points: 1, reason: "Bonus", metadata: { region: "QLD", "Dealer code": "007" } },
    { member_id: "mem_2", points: 2, reason: "Bonus" },
  ])
  // Keys keep spaces and case, in saved mappings too.
  const names = "member_id\tpoints\treason\t metadata.a \tmetadata.a\tmetadata. a\tmetadata. "
  const exact = testSheet("award")
  const columns = (await exact.paste(`${names}\nmem_1\t1\tBonus\t 1 \t2\t3\t4`)).columns
  expect(columns.slice(3).map(({ field }) => field)).toEqual([
    "metadata.a ",
    "metadata.a",
    "metadata. a",
    null,
  ])
  expect(metadataLabel("metadata.a ")).toBe('Custom field: "a "')
  expect((await exact.accepted())[0]).toMatchObject({ metadata: { "a ": "1", a: "2", " a": "3" } })
  const remembered = [{ names: ["member_id", "metadata.a"], fields: ["member_id", "metadata.a"] }]
  expect(loadMapping(remembered, ["metadata.a", "Member ID"])).toEqual(["metadata.a", "member_id"])
  expect(loadMapping(remembered, ["metadata.A", "member_id"])).toBeNull()
  expect(loadMapping(remembered, ["metadata.a ", "member_id"])).toBeNull()
  // Any other column can be mapped by hand.
  await award.view((open) => open.map(7, "metadata.note"))
  expect((await award.accepted())[0]).toMatchObject({ metadata: { note: "high" } })
  const member = testSheet("member-create")
  await member.paste("email\tfirst name\tlast name\tmetadata.region\na@site.test\tAna\tSilva\tQLD")
  const [created] = await member.accepted()
  expect(created).toMatchObject({ email: "a@site.test", metadata: { region: "QLD" } })
  expect(rowSchemas["member-create"].safeParse(created).success).toBe(true)
  const deduct = testSheet("deduct")
  const view = await deduct.paste("member_id\tpoints\treason\tmetadata.region\nmem_1\t1\tBonus\tQLD")
  expect(view.columns.at(-1)?.field).toBeNull()
})
