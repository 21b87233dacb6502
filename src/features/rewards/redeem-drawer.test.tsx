import { fireEvent, screen, waitFor, within } from "@testing-library/react"
import { describe, expect, it } from "vitest"
import { refusal, sessionOf } from "../../../tests/support/test-app.tsx"
import { drill, openRewards, reward } from "../../../tests/support/rewards/open-rewards.tsx"

const card = reward("rew_card", { name: "Fuel card" })
const digital = "/rewards/rew_card?act=redeem&reward_id=rew_card&for=mem_ana"
const physical = "/rewards/rew_drill?act=redeem&reward_id=rew_drill&for=mem_ana"
const opened = (address: string, opening: Parameters<typeof openRewards>[1] = {}) =>
  openRewards(address, { rewards: [drill, card], ...opening })
const send = (name = "Redeem 1 × Fuel card for Ana Silva, 5,000 points") =>
  screen.findByRole("button", { name })
const fill = (field: HTMLElement, value: string) => fireEvent.change(field, { target: { value } })
const confirmed = { state: "confirmed", upstream_id: "ord_1", balance_after: 7480, attempts: 1 } as const

describe("redeeming", () => {
  it("takes the reward of its page, a member found by typing, and two clicks", async () => {
    const { user, router, sent } = opened("/rewards/rew_card", { row: confirmed })
    await user.click(await screen.findByRole("link", { name: "Redeem for a member" }))
    await user.type(await screen.findByRole("combobox", { name: "Member" }), "ana")
    await screen.findByRole("option", { name: /Ana Silva/ })
    await user.keyboard("{Enter}")
    expect(await screen.findByText("7,480")).toBeVisible()
    expect(router.state.location.search).toMatchObject({ for: "mem_ana" })
    await user.click(await send())
    expect(await screen.findByText("1 × Fuel card redeemed for Ana Silva")).toBeVisible()
    expect(sent).toHaveLength(1)
    expect(sent[0]?.body).toEqual({
      kind: "redeem",
      rows: [{ member_id: "mem_ana", reward_id: "rew_card", quantity: 1, expected_cost: 5000 }],
    })
    expect(sent[0]?.key).toMatch(/^[\da-f]{32}$/)
    expect(screen.getByText("ord_1")).toBeVisible()
    expect(await screen.findByText("9,500")).toBeVisible()
    expect(sessionStorage).toHaveLength(0)
    await user.click(screen.getByRole("button", { name: "Done" }))
    await waitFor(() => expect(router.state.location.pathname).toBe("/rewards/rew_card"))
  })

  it("takes a member and finds the reward by typing, above the catalogue", async () => {
    const { user, router, requests } = opened("/rewards?act=redeem&for=mem_ana")
    await user.type(await screen.findByRole("combobox", { name: "Reward" }), "fuel")
    await screen.findByRole("option", { name: /Fuel card/ })
    expect(screen.queryByRole("option", { name: /Drill kit/ })).not.toBeInTheDocument()
    expect(screen.queryByText(/Couldn’t load/)).not.toBeInTheDocument()
    await user.keyboard("{Enter}")
    expect(await send()).toBeEnabled()
    expect(router.state.location.search).toMatchObject({ for: "mem_ana", reward_id: "rew_card" })
    expect(requests).toContain("GET /api/program/rewards?status=active&page=1&per_page=100")
  })

  it("shows the balance and the cost as the quantity changes", async () => {
    const { user } = opened(digital)
    await send()
    expect(screen.queryByText(/Something went wrong|Couldn’t load/)).not.toBeInTheDocument()
    await user.click(screen.getByRole("button", { name: "One more" }))
    expect(await send("Redeem 2 × Fuel card for Ana Silva, 10,000 points")).toBeEnabled()
    expect(screen.getByText("2,480")).toBeVisible()
    await user.click(screen.getByRole("button", { name: "One more" }))
    expect(await screen.findByText("Not enough points: 2,520 short of 15,000")).toBeVisible()
    expect(await send("Redeem 3 × Fuel card for Ana Silva, 15,000 points")).toBeDisabled()
  })

  it("prefills the program's country, which alone is not an address", async () => {
    const { sent, user } = opened("/rewards/rew_odd?act=redeem&reward_id=rew_odd&for=mem_ana", {
      rewards: [reward("rew_odd", { name: "Odd thing", type: "voucher" })],
      row: confirmed,
      handlers: {
        "GET /api/session": () => {
          const session = sessionOf("manager")
          return { ...session, program: { ...session.program, country: "NZ" } }
        },
      },
    })
    expect(await screen.findByRole("combobox", { name: "Country" })).toHaveValue("New Zealand")
    await user.click(await send("Redeem 1 × Odd thing for Ana Silva, 5,000 points"))
    await screen.findByText("1 × Odd thing redeemed for Ana Silva")
    expect(sent[0]?.body).toMatchObject({ rows: [{ reward_id: "rew_odd", quantity: 1 }] })
    expect(JSON.stringify(sent[0]?.body)).not.toContain("shipping_address")
  })

  it("offers the last redemption's address, which can be edited before sending", async () => {
    const address = {
      name: "A. Silva",
      line1: "1 Reef Street",
      city: "Cairns",
      postal_code: "4870",
      country: "AU",
    }
    const { user, sent } = opened(physical, {
      row: confirmed,
      handlers: {
        "GET /api/members/mem_ana/address": () => ({ address, captured_at: "2025-11-12T02:00:00Z" }),
      },
    })
    await user.click(await screen.findByRole("button", { name: "Use the last address (12 Nov 2025)" }))
    expect(screen.getByRole("combobox", { name: "Country" })).toHaveValue("Australia")
    fill(screen.getByLabelText("Address"), "2 Reef Street")
    await user.click(await send("Redeem 1 × Drill kit for Ana Silva, 9,500 points"))
    await screen.findByText("1 × Drill kit redeemed for Ana Silva")
    expect(sent[0]?.body).toMatchObject({
      rows: [{ shipping_address: { ...address, line1: "2 Reef Street" } }],
    })
  })

  it("asks for the address of a physical reward and sends it", async () => {
    const { user, sent } = opened(physical, { row: confirmed })
    fill(await screen.findByLabelText("Address"), "4 Aerodrome Road")
    expect(screen.getByLabelText("Name")).toHaveValue("Ana Silva")
    await user.click(await send("Redeem 1 × Drill kit for Ana Silva, 9,500 points"))
    expect(await screen.findByText(/^Choose a country/)).toBeVisible()
    expect(sent).toHaveLength(0)
    fill(screen.getByLabelText("City"), "Maroochydore")
    fill(screen.getByLabelText("Postcode"), "0455")
    const country = screen.getByRole("combobox", { name: "Country" })
    fill(country, "austral")
    fireEvent.keyDown(country, { key: "Enter" })
    expect(country).toHaveValue("Australia")
    await user.click(await send("Redeem 1 × Drill kit for Ana Silva, 9,500 points"))
    await screen.findByText("1 × Drill kit redeemed for Ana Silva")
    expect(sent[0]?.body).toMatchObject({
      rows: [
        {
          shipping_address: {
            name: "Ana Silva",
            line1: "4 Aerodrome Road",
            city: "Maroochydore",
            postal_code: "0455",
            country: "AU",
          },
        },
      ],
    })
  })
})

describe("redeeming is refused before the call", () => {
  it("with too few points, as the service documents", async () => {
    opened(digital, { balance: 4999 })
    const checks = within(await screen.findByRole("list", { name: "Checks" }))
    expect(await checks.findByText(/Not enough points: 1 short of 5,000/)).toBeVisible()
    await waitFor(async () => expect(await send()).toBeDisabled())
  })

  it.each([
    ["an inactive member", { member: { status: "inactive" } }, /This member is inactive/],
    [
      "an inactive reward",
      { rewards: [reward("rew_card", { name: "Fuel card", status: "inactive" })] },
      /This reward is inactive/,
    ],
    ["no stock", { rewards: [reward("rew_card", { name: "Fuel card", stock: 0 })] }, /Out of stock/],
  ])("not for %s: that is a warning, and the service decides", async (_, opening, words) => {
    const { user, sent } = opened(digital, { ...opening, row: confirmed })
    const checks = within(await screen.findByRole("list", { name: "Checks" }))
    expect(await checks.findByText(words)).toBeVisible()
    await user.click(await send())
    await screen.findByText("1 × Fuel card redeemed for Ana Silva")
    expect(sent).toHaveLength(1)
  })

  it("not when the balance failed to load: the service decides", async () => {
    opened(digital, {
      handlers: { "GET /api/program/members/mem_ana/balance": () => refusal(403, "forbidden") },
    })
    expect(await screen.findByText(/Couldn’t load the balance/)).toBeVisible()
    expect(await send()).toBeEnabled()
  })

  it("for a role without the capability, with the role that has it", async () => {
    opened(digital, { role: "viewer" })
    expect(await screen.findByText("Redeeming requires the Manager role")).toBeVisible()
  })
})

describe("outcome of a redemption", () => {
  it("shows that it was matched by time", async () => {
    const message = "No answer came. It was found by its time."
    const { user } = opened(digital, {
      row: { ...confirmed, known_by: "look", outcome: { code: "matched_by_time", message } },
    })
    await user.click(await send())
    expect(await screen.findByText("Matched by time, not by reference")).toBeVisible()
    expect(screen.getByText(message)).toBeVisible()
  })
})

describe("code of a digital reward", () => {
  const reveal = async (answer: unknown) => {
    const reasons: unknown[] = []
    const all = opened(digital, {
      row: confirmed,
      handlers: {
        "POST /api/orders/ord_1/reveal": ({ body }) => {
          reasons.push(body)
          return answer
        },
      },
    })
    await all.user.click(await send())
    await all.user.click(await screen.findByRole("button", { name: "Reveal" }))
    await all.user.type(screen.getByLabelText("Reason for revealing"), "Read out on the phone{Enter}")
    return { ...all, reasons }
  }
  const answer = { order_id: "ord_1", code: "FUEL-1234", why_none: null, message: null, seen: "redemption" }

  it("is masked, revealed with a reason, and not stored", async () => {
    const { reasons, queryClient, user } = await reveal(answer)
    expect(await screen.findByText("FUEL-1234")).toBeVisible()
    expect(reasons).toEqual([{ reason: "Read out on the phone" }])
    const stored = queryClient
      .getQueryCache()
      .getAll()
      .map(({ state }) => state.data)
    const changed = queryClient
      .getMutationCache()
      .getAll()
      .map(({ state }) => state.data)
    expect(JSON.stringify([stored, changed, sessionStorage, localStorage, history.state])).not.toContain(
      "FUEL-1234",
    )
    await user.click(screen.getByRole("button", { name: "Hide" }))
    expect(screen.queryByText("FUEL-1234")).not.toBeInTheDocument()
  })

  it("is removed when the drawer is closed and opened again", async () => {
    const { user, router } = await reveal(answer)
    await screen.findByText("FUEL-1234")
    await user.click(screen.getByRole("button", { name: "Done" }))
    await router.navigate({
      to: "/rewards/$rewardId",
      params: { rewardId: "rew_card" },
      search: { act: "redeem", outcome: "J-1" },
    })
    expect(await screen.findByRole("button", { name: "Reveal" })).toBeVisible()
    expect(screen.queryByText("FUEL-1234")).not.toBeInTheDocument()
  })

  it("missing in the order is explained", async () => {
    await reveal({ ...answer, code: null, why_none: "not_carried", message: "The order has no code." })
    expect(await screen.findByText("The order has no code.")).toBeVisible()
  })
})
