import { cleanup, screen, waitFor, within } from "@testing-library/react"
import { describe, expect, it } from "vitest"
import { cardCosts as costsSchema, type CardTemplates, cardTemplates } from "../../../contract/cards.ts"
import type { Role } from "../../../contract/roles.ts"
import { fill, openPage } from "../../../tests/support/open-page.tsx"

const refused = {
  card_id: "card_tradevisa",
  denomination: 1000,
  code: "DENOMINATION_NOT_PRODUCED",
  message: "The image for 1000 was not produced.",
  at: "2026-11-20T00:00:00Z",
}

const templates: CardTemplates = {
  templates: [{ id: "card_tradevisa", name: "Trade Visa", denominations: [25, 50] }],
  default: "card_tradevisa",
}
const fundAt = "2026-11-20T00:00:00Z"
const cardCosts = {
  fee_cents: 250,
  gst_percent: 10,
  face_gst_percent: 0,
  fund_cents: 50_000,
  low_cents: 50_000,
}

/** The page with a template, costs and a refused amount. */
async function open(as: Role = "manager", address = "/settings/gift-cards") {
  const opened = await openPage(address, {
    as,
    settings: {
      cardTemplates: templates,
      cardCosts: { ...cardCosts, fund_at: fundAt },
      cardPairs: { refused: [refused] },
    },
  })
  const { ask, saved } = opened
  return {
    ...opened,
    templates: async () => cardTemplates.parse(await saved("cardTemplates")),
    costs: async () => costsSchema.parse(await saved("cardCosts")),
    /** Another user saves meanwhile. */
    save: (name: "cardTemplates" | "cardPairs", value: unknown) => ask(`PUT /settings/${name}`, value),
  }
}

describe("card templates", () => {
  it("are added with their amounts, without losing what another user saved meanwhile", async () => {
    const { user, router, save, templates: saved } = await open()
    await user.click(await screen.findByRole("button", { name: "Add a template" }))
    expect(await screen.findByLabelText("Name")).toHaveFocus()
    expect(router.state.location.search).toMatchObject({ open: "add" })
    const other = { id: "card_other", name: "Other", denominations: [] }
    await save("cardTemplates", { ...templates, templates: [...templates.templates, other] })
    await fill(user, screen.getByLabelText("Name"), "Bunnings")
    await fill(user, screen.getByLabelText("Template id"), "card_bunnings")
    await fill(user, screen.getByLabelText(/^Amounts/), "100, 25,1,000 50.5")
    await user.click(screen.getByRole("button", { name: "Add Bunnings" }))
    expect(await screen.findByText("card_bunnings")).toBeVisible()
    const all = (await saved()).templates
    expect(all.map(({ id }) => id)).toEqual(["card_tradevisa", "card_other", "card_bunnings"])
    expect(all[2]?.denominations).toEqual([25, 50.5, 100, 1000])
    await waitFor(() => expect(router.state.location.search).not.toHaveProperty("open"))
  })

  it("are renamed, and the default follows a corrected id", async () => {
    const { user, templates: saved } = await open(
      "manager",
      "/settings/gift-cards?open=edit&template=card_tradevisa",
    )
    const id = await screen.findByLabelText("Template id")
    await user.clear(id)
    await fill(user, id, "card_tv2")
    await user.click(screen.getByRole("button", { name: "Save Trade Visa" }))
    await waitFor(async () => expect((await saved()).default).toBe("card_tv2"))
    expect((await saved()).templates).toHaveLength(1)
  })

  it("are refused with a message for invalid amounts and a duplicate id", async () => {
    const { user, templates: saved } = await open("manager", "/settings/gift-cards?open=add")
    await fill(user, await screen.findByLabelText("Name"), "Again")
    await fill(user, screen.getByLabelText("Template id"), "card_tradevisa")
    await fill(user, screen.getByLabelText(/^Amounts/), "25, many")
    await user.click(screen.getByRole("button", { name: "Add Again" }))
    expect(
      await screen.findByText("Enter amounts in dollars, separated by commas: 25, 50, 100."),
    ).toBeVisible()
    await user.clear(screen.getByLabelText(/^Amounts/))
    await user.click(screen.getByRole("button", { name: "Add Again" }))
    expect(await screen.findByText("A template with this id already exists.")).toBeVisible()
    await user.clear(screen.getByLabelText("Name"))
    await fill(user, screen.getByLabelText("Name"), "trade visa")
    await user.type(screen.getByLabelText("Template id"), "2")
    await user.click(screen.getByRole("button", { name: "Add trade visa" }))
    expect(await screen.findByText("A template with this name already exists.")).toBeVisible()
    expect((await saved()).templates).toHaveLength(1)
  })

  it("are removed after a confirmation, and the default is removed with its template", async () => {
    const { user, templates: saved } = await open()
    await user.click(await screen.findByRole("button", { name: "Remove Trade Visa" }))
    const dialog = within(await screen.findByRole("dialog"))
    expect(dialog.getByText(/It’s the default/)).toBeVisible()
    await user.click(dialog.getByRole("button", { name: "Remove Trade Visa" }))
    expect(await screen.findByText("No templates yet")).toBeVisible()
    expect(await saved()).toEqual({ templates: [], default: null })
  })
})

describe("costs and fund", () => {
  it("set the threshold of a low fund, which is $500 by default", async () => {
    const { user, costs } = await open()
    const low = await screen.findByLabelText(/^Low below/)
    expect(low).toHaveValue("500.00")
    await user.clear(low)
    await user.type(low, "1,250")
    await user.click(screen.getByRole("button", { name: "Save" }))
    await waitFor(async () => expect((await costs()).low_cents).toBe(125_000))
  })

  it("date a fund that was entered again, but not for a changed fee", async () => {
    const { user, costs } = await open()
    const fee = await screen.findByLabelText(/^Fee per card/)
    await user.clear(fee)
    await user.type(fee, "3")
    await user.click(screen.getByRole("button", { name: "Save" }))
    await screen.findByText("Saved.")
    expect(await costs()).toEqual({ ...cardCosts, fee_cents: 300, fund_at: fundAt })
    const fund = screen.getByLabelText(/^In the fund now/)
    await user.clear(fund)
    await fill(user, fund, "1,200.50")
    await user.click(screen.getByRole("button", { name: "Save" }))
    await waitFor(async () => expect((await costs()).fund_cents).toBe(120_050))
    expect((await costs()).fund_at).not.toBe(fundAt)
  })
})

describe("refused amounts", () => {
  it("are removed one by one, without losing those learned meanwhile", async () => {
    const { user, saved, save } = await open()
    const button = await screen.findByRole("button", { name: "Remove $1,000.00 for Trade Visa" })
    await save("cardPairs", { refused: [refused, { ...refused, denomination: 75 }] })
    await user.click(button)
    expect(await screen.findByRole("button", { name: "Remove $75.00 for Trade Visa" })).toBeVisible()
    expect(await saved("cardPairs")).toMatchObject({ refused: [{ denomination: 75 }] })
  })
})

it("gift card settings are read-only for a viewer, and show fulfilment which role opens them", async () => {
  const viewer = await open("viewer")
  expect(await screen.findByText("Changing this requires the Manager role.")).toBeVisible()
  expect(await screen.findByRole("radio", { name: "Trade Visa is the default" })).toBeDisabled()
  expect(screen.queryByRole("button", { name: "Add a template" })).toBeNull()
  expect(screen.queryByRole("button", { name: /^Remove/ })).toBeNull()
  expect(screen.queryByText("Costs and fund")).toBeNull()
  expect(viewer.requests.filter((line) => /cardCosts|cardPairs/.test(line))).toEqual([])
  cleanup()
  const { requests } = await open("fulfilment")
  expect(await screen.findByText(/Requires the Manager role/)).toBeVisible()
  expect(requests.filter((line) => line.includes("/settings/card"))).toEqual([])
})
