import { expect, test } from "vitest"
import { firstAmountLimits } from "../../../contract/amount-limits.ts"
import { rowSchemas } from "../../../tests/support/row-schemas.ts"
import { testSheet } from "../../../tests/support/import/open-sheet.ts"

const head = "E-mail;First name;Last name;Amount;Card;Reference;Days;Account;Mobile;Opt-out link"

async function opened(...rows: readonly string[]) {
  const sheet = testSheet("giftcard")
  const view = await sheet.open({
    kind: "file",
    file: new File([[head, ...rows].join("\n")], "cards.csv"),
  })
  return { sheet, view }
}

test("rows are built for the server: the recipient as one field, without empty fields", async () => {
  const { sheet, view } = await opened(
    "ana@site.test;Ana;Silva;$50.00;card_bunnings;NPS-0012;120;AC-7;0400 000 001;https://site.test/out",
    "bec@site.test;Bec;Hale;1 250.50;;;;;;",
  )
  expect(view.columns.map(({ field }) => field)).not.toContain(null)
  const rows = await sheet.accepted()
  expect(rows).toEqual([
    {
      member: {
        email: "ana@site.test",
        firstname: "Ana",
        lastname: "Silva",
        accountKey: "AC-7",
        mobile: "0400 000 001",
      },
      denomination: 50,
      cardId: "card_bunnings",
      externalRef: "NPS-0012",
      expiryDays: 120,
      unsubscribeUrl: "https://site.test/out",
    },
    { member: { email: "bec@site.test", firstname: "Bec", lastname: "Hale" }, denomination: 1250.5 },
  ])
  for (const row of rows) expect(rowSchemas.giftcard.safeParse(row).success).toBe(true)
})

test("each cell with a problem or a check states the reason", async () => {
  const { sheet } = await opened(
    "a@site.test;A;One;50;;R-1;;;;",
    "a@site.test;A;One;50;;R-1;;;;",
    "b@site.test;B;Two;75;;R-1;;;;",
    "c@site.test;C;Three;75;card_bunnings;R-1;;;;",
    "nobody;D;Four;50;;;;;;",
    "e@site.test;;Five;50;;;;;;",
    "f@site.test;F;Six;0;;;;;;",
    "g@site.test;G;Seven;-5;;;;;;",
    "h@site.test;H;Eight;12,345;;;;;;",
    "i@site.test;I;Nine;=A1;;;;;;",
    "j@site.test;J;Ten;50;;;29;;;",
    "k@site.test;K;Eleven;50;;9.4E+11;;;;",
    "l@site.test;L;Twelve;50;;;;;;javascript:alert(1)",
  )
  expect(await sheet.findings()).toEqual({
    3: ["Same as row 2", "Same reference as row 2"],
    4: ["Same reference as row 2"],
    6: ["Not an e-mail address"],
    7: ["A first name is required"],
    8: ["Must be more than 0"],
    9: ["Enter it without a minus sign or brackets"],
    10: ["12.345 or 12,345? Enter it without separators"],
    11: ["A formula, not a number"],
    12: ["At least 30"],
    13: ["Shortened by a spreadsheet: digits are lost"],
    14: ["Not an address beginning with https://"],
  })
})

test("columns of a range pasted without names are matched: recipient and amount", async () => {
  const sheet = testSheet("giftcard")
  const lines = Array.from({ length: 6 }, (_, at) => `p${at}@site.test\tPerson\tNumber\t50`)
  const view = await sheet.paste(lines.join("\n"))
  expect(view.columns.map(({ field }) => field)).toEqual(["email", "firstname", "lastname", "denomination"])
  expect(view.included).toBe(6)
  expect(view.amounts?.sum).toBe(300)
})

test("a card chosen for all rows applies to each of them", async () => {
  const lines = ["email,first name,last name,amount", "p@site.test,Pat,Lee,50"].join("\n")
  const sheet = testSheet("giftcard")
  await sheet.open({ kind: "file", file: new File([lines], "cards.csv") })
  await sheet.view((open) => open.fill("cardId", "card_bunnings"))
  expect(await sheet.accepted()).toMatchObject([{ cardId: "card_bunnings" }])
})

test("amounts and templates are checked against the current settings; unknown ones are accepted", async () => {
  const templates = [
    { id: "card_visa", name: "Trade  Visa", denominations: [100, 500] },
    { id: "card_coles", name: "Coles Group", denominations: [] },
    { id: "card_one", name: "Twin", denominations: [] },
    { id: "card_two", name: "twin", denominations: [] },
  ]
  const settings = { templates, default: "card_visa" }
  const refused = [
    {
      card_id: "card_visa",
      denomination: 500,
      code: "DENOMINATION_NOT_PRODUCED",
      message: "No.",
      at: "2026-11-20T00:00:00Z",
    },
  ]
  const { sheet } = await opened(
    "a@site.test;A;One;1000;trade visa;;;;;",
    "b@site.test;B;Two;500;card_visa;;;;;",
    "c@site.test;C;Three;100.50;;;;;;",
    "d@site.test;D;Four;33;COLES GROUP;;;;;",
    "e@site.test;E;Five;33;Coles;;;;;",
    "f@site.test;F;Six;33;Twin;;;;;",
    "g@site.test;G;Seven;33;card_elsewhere;;;;;",
  )
  expect(await sheet.findings()).toEqual({})
  await sheet.view((open) => open.setFacts({ cards: { settings, pairs: { refused: [] }, currency: "AUD" } }))
  expect(await sheet.findings()).toEqual({
    2: ["$1,000 isn’t available for Trade  Visa. Nearest: $500"],
    4: ["$100.50 isn’t available for Trade  Visa. Nearest: $100"],
    6: ['Template "Coles" doesn’t exist. Did you mean "Coles Group"?'],
    7: ['2 templates are called "Twin": write the id.'],
    8: [
      'Template "card_elsewhere" isn’t in the settings. Valid names: Trade  Visa, Coles Group, Twin, twin.',
    ],
  })
  // An amount that the service has refused is no longer suggested.
  const view = await sheet.view((open) =>
    open.setFacts({ cards: { settings, pairs: { refused }, currency: "AUD" } }),
  )
  expect(await sheet.findings()).toMatchObject({
    2: ["$1,000 isn’t available for Trade  Visa. Nearest: $100"],
    3: ["$500 was refused for Trade  Visa. Nearest: $100"],
  })
  expect(view.counts).toMatchObject({ problems: 4, checks: 2, ready: 1 })
  expect(await sheet.accepted()).toMatchObject([{ denomination: 33, cardId: "card_coles" }])
  // The next file in the same page uses the same settings.
  const next = await sheet.open({ kind: "paste", text: `${head}\nz@site.test;Z;Z;7;Coles;;;;;` })
  expect(next.counts.problems).toBe(1)
})

test("an amount above the row limit gets the server's message, also as the amount for all rows", async () => {
  const { sheet } = await opened(
    "a@site.test;A;One;1000.00;;;;;;",
    "b@site.test;B;Two;1000.01;;;;;;",
    "c@site.test;C;Three;1000001;;;;;;",
  )
  const amounts = { limits: firstAmountLimits, currency: "NZD" }
  await sheet.view((open) => open.setFacts({ amounts }))
  const refusal =
    "At most NZD 1,000 for one gift card. An administrator can change this limit under Settings, Program."
  expect(await sheet.findings()).toEqual({ 3: [refusal], 4: [refusal] })
  expect(await sheet.accepted()).toMatchObject([{ denomination: 1000 }])

  for (const [kind, noun] of [
    ["award", "award"],
    ["deduct", "deduction"],
  ] as const) {
    const points = testSheet(kind)
    await points.paste("member_id,reason\nmem_1,Bonus")
    await points.view((open) => open.setFacts({ amounts }))
    for (const above of ["100,001", "1,000,000,001"]) {
      const view = await points.view((open) => open.fill("points", above))
      expect(view.constantProblems["points"]).toMatch(`At most 100,000 points for one ${noun}.`)
    }
    expect(await points.accepted()).toEqual([])
  }
})

test("a reference is unique per template, in the file and in Laurel", async () => {
  const { sheet } = await opened(
    "a@site.test;A;One;50;;Q3-1;;;;",
    "b@site.test;B;Two;50;card_bunnings;Q3-1;;;;",
    "c@site.test;C;Three;50;card_tradevisa;Q3-1;;;;",
    "d@site.test;D;Four;50;;Q3-2;;;;",
    "e@site.test;E;Five;50;card_bunnings;Q3-2;;;;",
    "f@site.test;F;Six;50;;q3-1;;;;",
  )
  const settings = {
    templates: ["card_tradevisa", "card_bunnings"].map((id) => ({ id, name: id, denominations: [] })),
    default: "card_tradevisa",
  }
  const used = [{ template: "card_tradevisa", reference: "Q3-2", by: "card gc_1" }]
  await sheet.view((open) =>
    open.setFacts({ cards: { settings, pairs: { refused: [] }, currency: "AUD", used } }),
  )
  expect(await sheet.findings()).toEqual({ 4: ["Same reference as row 2"], 5: ["Already used by card gc_1"] })
  expect((await sheet.accepted()).map((row) => row["externalRef"])).toEqual(["Q3-1", "Q3-1", "Q3-2", "q3-1"])
})
