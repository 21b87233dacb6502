import { describe, expect, test } from "vitest"
import { testSheet } from "../../tests/support/import/open-sheet.ts"

const members = [
  { id: "mem_1", name: "Ana Silva", email: "ana@x.test" },
  { id: "mem_2", name: "Ada Moss", email: "ada@x.test" },
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
