import { expect, test } from "vitest"
import { memberUpdateRow } from "../../../contract/kinds/member-update.ts"
import { testSheet } from "../../../tests/support/import/open-sheet.ts"

async function opened(text: string) {
  const sheet = testSheet("member-update")
  const view = await sheet.paste(text)
  const rows = await sheet.rows()
  return {
    sheet,
    view,
    rows,
    problems: rows.map(({ problems }) => problems.map(({ text: words }) => words)),
    accepted: (await sheet.run.accepted(0, 100)).map(({ row }) => row),
  }
}

test("an empty cell leaves a field out of the change, and only the word for clearing clears it", async () => {
  const { accepted, problems } = await opened(
    "id\tcompany\tphone\tstatus\nmem_1\tAcme\t\tInactive\nmem_2\t(clear)\t0400 000 001\t\nmem_3\t\t(Clear)\tactive",
  )
  expect(problems).toEqual([[], [], []])
  expect(accepted).toEqual([
    { member_id: "mem_1", company: "Acme", status: "inactive" },
    { member_id: "mem_2", company: "", phone: "0400 000 001" },
    { member_id: "mem_3", phone: "", status: "active" },
  ])
  expect(accepted.every((row) => memberUpdateRow.safeParse(row).success)).toBe(true)
})

test("a row of values that are also statuses is no second header", async () => {
  const { problems } = await opened("email\tcompany\tphone\tstatus\na@site.test\tAcme\t(clear)\tactive")
  expect(problems).toEqual([[]])
})

test("names cannot be cleared, and a status is one that a member can be set to", async () => {
  const { problems } = await opened(
    "email\tfirst name\tstatus\na@site.test\t(clear)\t\nb@site.test\tBo\tpending",
  )
  expect(problems).toEqual([["A name can’t be cleared"], ["Not a status: active, inactive"]])
})

test("a row names its member by id or e-mail, once in a file, and has a value to change", async () => {
  const { problems, accepted } = await opened(
    "id\temail\tcompany\nmem_1\ta@site.test\tAcme\n\tB@site.test\tAcme\nmem_1\t\tOther\nmem_4\td@site.test\t\n\t\tAcme",
  )
  expect(accepted).toEqual([
    { member_id: "mem_1", company: "Acme" },
    { email: "B@site.test", company: "Acme" },
  ])
  expect(problems).toEqual([
    [],
    [],
    ["Same as row 2"],
    ["Nothing to change: every cell is empty"],
    ["A member id or an e-mail is required"],
  ])
})

test("a list of members alone gets one status for all rows", async () => {
  const { sheet, view } = await opened("e-mail\na@site.test\nb@site.test")
  expect(view.counts).toMatchObject({ problems: 2 })
  const filled = await sheet.view((open) => open.fill("status", "inactive"))
  expect(filled.counts).toMatchObject({ problems: 0, ready: 2 })
  expect(await sheet.run.accepted(0, 10)).toMatchObject([
    { row: { email: "a@site.test", status: "inactive" } },
    { row: { email: "b@site.test", status: "inactive" } },
  ])
})
