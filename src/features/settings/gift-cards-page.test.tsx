import { cleanup, screen, waitFor, within } from "@testing-library/react"
import { userEvent } from "@testing-library/user-event"
import { describe, expect, it } from "vitest"
import type { CardCosts, CardPairs, CardTemplates } from "../../../contract/cards.ts"
import type { Role } from "../../../contract/roles.ts"
import { renderApp, sessionOf } from "../../../tests/support/test-app.tsx"

const refused = {
  card_id: "card_tradevisa",
  denomination: 1000,
  code: "DENOMINATION_NOT_PRODUCED",
  message: "The image for 1000 was not produced.",
  at: "2026-11-20T00:00:00Z",
}

/** The page, with documents that a test changes to simulate another user. */
function open(role: Role = "manager", address = "/settings/gift-cards") {
  const saved: { templates: CardTemplates; costs: CardCosts; pairs: CardPairs } = {
    templates: {
      templates: [{ id: "card_tradevisa", name: "Trade Visa", denominations: [25, 50] }],
      default: "card_tradevisa",
    },
    costs: { fee_cents: 250, gst_percent: 10, fund_cents: 50_000, fund_at: "2026-11-20T00:00:00Z" },
    pairs: { refused: [refused] },
  }
  const opened = renderApp(address, {
    "GET /api/session": () => sessionOf(role),
    "GET /api/status": () => Response.json({ success: false, error: { code: "forbidden" } }, { status: 403 }),
    "GET /api/status/budget": () => [],
    "GET /api/settings/cardTemplates": () => saved.templates,
    "PUT /api/settings/cardTemplates": ({ body }) => (saved.templates = body as CardTemplates),
    "GET /api/settings/cardCosts": () => saved.costs,
    "PUT /api/settings/cardCosts": ({ body }) => (saved.costs = body as CardCosts),
    "GET /api/settings/cardPairs": () => saved.pairs,
    "PUT /api/settings/cardPairs": ({ body }) => (saved.pairs = body as CardPairs),
    "GET /api/cards/fund": () => ({
      entered_cents: saved.costs.fund_cents,
      entered_at: saved.costs.fund_at,
      cards: 2,
      drawn_cents: 10_550,
      left_cents: 39_450,
    }),
  })
  return { ...opened, saved, user: userEvent.setup({ delay: null }) }
}

describe("card templates", () => {
  it("are added with their amounts, without losing what another user saved meanwhile", async () => {
    const { user, saved, router } = open()
    await user.click(await screen.findByRole("button", { name: "Add a template" }))
    expect(await screen.findByLabelText("Name")).toHaveFocus()
    expect(router.state.location.search).toMatchObject({ open: "add" })
    saved.templates = {
      ...saved.templates,
      templates: [...saved.templates.templates, { id: "card_other", name: "Other", denominations: [] }],
    }
    await user.type(screen.getByLabelText("Name"), "Bunnings")
    await user.type(screen.getByLabelText("Template id"), "card_bunnings")
    await user.type(screen.getByLabelText(/^Amounts/), "100, 25,1,000 50.5")
    await user.click(screen.getByRole("button", { name: "Add Bunnings" }))
    expect(await screen.findByText("card_bunnings")).toBeVisible()
    expect(saved.templates.templates.map(({ id }) => id)).toEqual([
      "card_tradevisa",
      "card_other",
      "card_bunnings",
    ])
    expect(saved.templates.templates[2]?.denominations).toEqual([25, 50.5, 100, 1000])
    await waitFor(() => expect(router.state.location.search).not.toHaveProperty("open"))
  })

  it("are renamed, and the default follows a corrected id", async () => {
    const { user, saved } = open("manager", "/settings/gift-cards?open=edit&template=card_tradevisa")
    const id = await screen.findByLabelText("Template id")
    await user.clear(id)
    await user.type(id, "card_tv2")
    await user.click(screen.getByRole("button", { name: "Save Trade Visa" }))
    await waitFor(() => expect(saved.templates.default).toBe("card_tv2"))
    expect(saved.templates.templates).toHaveLength(1)
  })

  it("are refused with a message for invalid amounts and a duplicate id", async () => {
    const { user, saved } = open("manager", "/settings/gift-cards?open=add")
    await user.type(await screen.findByLabelText("Name"), "Again")
    await user.type(screen.getByLabelText("Template id"), "card_tradevisa")
    await user.type(screen.getByLabelText(/^Amounts/), "25, many")
    await user.click(screen.getByRole("button", { name: "Add Again" }))
    expect(
      await screen.findByText("Enter amounts in dollars, separated by commas: 25, 50, 100."),
    ).toBeVisible()
    await user.clear(screen.getByLabelText(/^Amounts/))
    await user.click(screen.getByRole("button", { name: "Add Again" }))
    expect(await screen.findByText("A template with this id already exists.")).toBeVisible()
    await user.clear(screen.getByLabelText("Name"))
    await user.type(screen.getByLabelText("Name"), "trade visa")
    await user.type(screen.getByLabelText("Template id"), "2")
    await user.click(screen.getByRole("button", { name: "Add trade visa" }))
    expect(await screen.findByText("A template with this name already exists.")).toBeVisible()
    expect(saved.templates.templates).toHaveLength(1)
  })

  it("are removed after a confirmation, and the default is removed with its template", async () => {
    const { user, saved } = open()
    await user.click(await screen.findByRole("button", { name: "Remove Trade Visa" }))
    const dialog = within(await screen.findByRole("dialog"))
    expect(dialog.getByText(/It’s the default/)).toBeVisible()
    await user.click(dialog.getByRole("button", { name: "Remove Trade Visa" }))
    expect(await screen.findByText("No templates yet")).toBeVisible()
    expect(saved.templates).toEqual({ templates: [], default: null })
  })
})

describe("costs and fund", () => {
  it("set the threshold of a low fund, which is $500 by default", async () => {
    const { user, saved } = open()
    const low = await screen.findByLabelText(/^Low below/)
    expect(low).toHaveValue("500.00")
    await user.clear(low)
    await user.type(low, "1,250")
    await user.click(screen.getByRole("button", { name: "Save" }))
    await waitFor(() => expect(saved.costs.low_cents).toBe(125_000))
  })

  it("date a fund that was entered again, but not for a changed fee", async () => {
    const { user, saved } = open()
    expect(await screen.findByText(/2 cards since drew \$105\.50: \$394\.50 left/)).toBeVisible()
    const fee = screen.getByLabelText(/^Fee per card/)
    await user.clear(fee)
    await user.type(fee, "3")
    await user.click(screen.getByRole("button", { name: "Save" }))
    await screen.findByText("Saved.")
    expect(saved.costs).toEqual({
      fee_cents: 300,
      gst_percent: 10,
      face_gst_percent: 0,
      fund_cents: 50_000,
      fund_at: "2026-11-20T00:00:00Z",
      low_cents: 50_000,
    })
    const fund = screen.getByLabelText(/^In the fund now/)
    await user.clear(fund)
    await user.type(fund, "1,200.50")
    await user.click(screen.getByRole("button", { name: "Save" }))
    await waitFor(() => expect(saved.costs.fund_cents).toBe(120_050))
    expect(Date.parse(saved.costs.fund_at ?? "")).toBeGreaterThan(Date.parse("2026-11-20T00:00:01Z"))
  })
})

describe("refused amounts", () => {
  it("are removed one by one, without losing those learned meanwhile", async () => {
    const { user, saved } = open()
    const button = await screen.findByRole("button", { name: "Remove $1,000.00 for Trade Visa" })
    saved.pairs = { refused: [refused, { ...refused, denomination: 75 }] }
    await user.click(button)
    expect(await screen.findByRole("button", { name: "Remove $75.00 for Trade Visa" })).toBeVisible()
    expect(saved.pairs.refused.map(({ denomination }) => denomination)).toEqual([75])
  })
})

it("gift card settings are read-only for a viewer, and show fulfilment which role opens them", async () => {
  const viewer = open("viewer")
  expect(await screen.findByText("Changing this requires the Manager role.")).toBeVisible()
  expect(await screen.findByRole("radio", { name: "Trade Visa is the default" })).toBeDisabled()
  expect(screen.queryByRole("button", { name: "Add a template" })).toBeNull()
  expect(screen.queryByRole("button", { name: /^Remove/ })).toBeNull()
  expect(screen.queryByText("Costs and fund")).toBeNull()
  expect(viewer.requests.filter((line) => /cardCosts|cardPairs/.test(line))).toEqual([])
  cleanup()
  const { requests } = open("fulfilment")
  expect(await screen.findByText(/Requires the Manager role/)).toBeVisible()
  expect(requests.filter((line) => line.includes("/settings/card"))).toEqual([])
})
