import { describe, expect, test } from "vitest"
import { testSheet } from "../../tests/support/import/open-sheet.ts"

const members = [
  { id: "mem_1", name: "Ana Silva", email: "ana@x.test" },
  // As a service may hold it.
  { id: "mem_2", name: "Ada Moss", email: "Ada@x.test " },
]

const uncompared = "Not compared with the id: if kept, the id counts"

describe.each(["award", "deduct"] as const)("a row of a %s with an id and an e-mail", (kind) => {
  /** Findings of rows with these ids and e-mails, by row number. */
  async function open(rows: readonly (readonly [id: string, email: string])[], known = members) {
    const sheet = testSheet(kind)
    const lines = rows.map((row) => [...row, "50", "Bonus"].join("\t"))
    await sheet.paste(["Member id\tE-mail\tPoints\tReason", ...lines].join("\n"))
    const { included } = await sheet.view((open) => open.setFacts({ members: known }))
    const found = Object.values(await sheet.findings()).flat()
    return { sheet, included, found }
  }

  test("is ready where both are the same member, and sends the id", async () => {
    const { sheet, found } = await open([["mem_1", "ANA@x.test"]])
    expect(found).toEqual([])
    expect(await sheet.accepted()).toEqual([{ member_id: "mem_1", points: 50, reason: "Bonus" }])
  })

  test("is a problem where the e-mail is not the member’s", async () => {
    const { included, found } = await open([
      ["mem_1", "ada@x.test"],
      ["mem_2", "nobody@x.test"],
    ])
    expect(included).toBe(0)
    expect(found).toEqual([
      "The id is Ana Silva, the e-mail is ada@x.test: remove the wrong one",
      "The id is Ada Moss, the e-mail is nobody@x.test: remove the wrong one",
    ])
  })

  test("is a problem where only the e-mail is known, as another member’s", async () => {
    const { found } = await open([["mem_9", "ada@x.test"]])
    expect(found).toEqual(["The id is mem_9, the e-mail is ada@x.test: remove the wrong one"])
  })

  test("is sent only if confirmed where neither is known; what becomes known counts again", async () => {
    const { sheet, included, found } = await open([["mem_1", "ada@x.test"]], [])
    expect({ included, found }).toEqual({ included: 0, found: [uncompared] })
    expect(await sheet.view((open) => open.decide("check", "keep"))).toMatchObject({ included: 1 })
    expect(await sheet.accepted()).toEqual([{ member_id: "mem_1", points: 50, reason: "Bonus" }])
    expect(await sheet.view((open) => open.setFacts({ members }))).toMatchObject({ included: 0 })
  })

  test("keeps both names in its job when they are two members’", async () => {
    const { sheet } = await open([["mem_1", "ada@x.test"]])
    expect(await sheet.run.entries(0, 10)).toMatchObject([
      { excluded: { code: "problem_in_file", input: { member_id: "mem_1", email: "ada@x.test" } } },
    ])
  })

  test("is compared where the columns are swapped, and “n/a” is ignored", async () => {
    const { found } = await open([
      ["ada@x.test", "mem_1"],
      ["mem_2", "n/a"],
    ])
    expect(found).toEqual(["The id is Ana Silva, the e-mail is ada@x.test: remove the wrong one"])
  })

  test("is a problem with two ids, with two e-mails and with a broken e-mail", async () => {
    const { included, found } = await open([
      ["mem_1", "mem_2"],
      ["mem_1", "MEM_1"],
      ["ana@x.test", "ada@x.test"],
      ["mem_1", "ana@x.test, ada@x.test"],
    ])
    expect(included).toBe(0)
    expect(found).toEqual([
      "Not the same as mem_1: remove the wrong one",
      "Not the same as mem_1: remove the wrong one",
      "Not the same as ana@x.test: remove the wrong one",
      "Not an e-mail address",
    ])
  })
})

describe("with all members known", () => {
  async function open(rows: readonly string[], allMembers: boolean) {
    const sheet = testSheet("award")
    await sheet.paste(["Member\tPoints\tReason", ...rows].join("\n"))
    return { sheet, view: await sheet.view((opened) => opened.setFacts({ members, allMembers })) }
  }

  test("an e-mail or id that no member has is confirmed first, and ready while not all are known", async () => {
    const rows = ["gone@x.test\t50\tBonus", "ana@x.test\t60\tBonus", "mem_7\t70\tBonus"]
    const { sheet, view } = await open(rows, true)
    expect(view.included).toBe(1)
    expect(await sheet.findings()).toEqual({ 2: ["No member has this e-mail"], 4: ["No member has this id"] })
    expect((await open(rows, false)).view.included).toBe(3)
  })

  test("a member is one person by id, e-mail in capitals and link; equal rows are likely duplicates", async () => {
    const rows = ["mem_1\t50\tBonus", "ANA@x.test\t60\tBonus", "mailto:ana@x.test\t50\tBonus"]
    const { sheet, view } = await open(rows, true)
    expect(await sheet.findings()).toEqual({ 4: ["Same as row 2"] })
    expect(view).toMatchObject({ included: 2, people: { members: 1, byEmail: 1, mostRows: 2, repeated: 1 } })
    const confirmed = await sheet.view((opened) => opened.decide("duplicate", "keep"))
    expect(confirmed).toMatchObject({ included: 3, people: { members: 1, byEmail: 1, mostRows: 3 } })
  })
})
