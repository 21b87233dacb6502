import { fireEvent, screen, waitFor, within } from "@testing-library/react"
import { describe, expect, it } from "vitest"
import * as z from "zod/mini"
import type { OrderCode } from "../../../contract/orders.ts"
import { ana } from "../../../tests/support/open-page.tsx"
import { refusal } from "../../../tests/support/test-app.tsx"
import { drill, openRewards, reward } from "../../../tests/support/rewards/open-rewards.tsx"

const card = reward("rew_card", { name: "Fuel card" })
const digital = "/rewards/rew_card?act=redeem&reward_id=rew_card&for=mem_8Fq2Lx41"
const physical = "/rewards/rew_drill?act=redeem&reward_id=rew_drill&for=mem_8Fq2Lx41"
const opened = (address: string, opening: Parameters<typeof openRewards>[1] = {}) =>
  openRewards(address, { rewards: [drill, card], ...opening })
const send = (name = "Redeem 1 × Fuel card for Ana Silva, 5,000 points") =>
  screen.findByRole("button", { name })
const fill = (field: HTMLElement, value: string) => fireEvent.change(field, { target: { value } })

describe("redeeming", () => {
  it("takes the reward of its page, a member found by typing, and two clicks", async () => {
    const { user, router, sent } = await opened("/rewards/rew_card")
    await user.click(await screen.findByRole("link", { name: "Redeem for a member" }))
    await user.type(await screen.findByRole("combobox", { name: "Member" }), "ana")
    await screen.findByRole("option", { name: /Ana Silva/ })
    await user.keyboard("{Enter}")
    expect(await screen.findByText("7,480")).toBeVisible()
    expect(router.state.location.search).toMatchObject({ for: ana.id })
    await user.click(await send())
    expect(await screen.findByText("1 × Fuel card redeemed for Ana Silva")).toBeVisible()
    expect(sent().map(({ body }) => body)).toEqual([
      {
        kind: "redeem",
        rows: [{ member_id: ana.id, reward_id: "rew_card", quantity: 1, expected_cost: 5000 }],
      },
    ])
    expect(sent()[0]?.headers.get("Idempotency-Key")).toMatch(/^[\da-f]{32}$/)
    expect(screen.getByText(/^ord_/)).toBeVisible()
    expect(sessionStorage).toHaveLength(0)
    await user.click(screen.getByRole("button", { name: "Done" }))
    await waitFor(() => expect(router.state.location.pathname).toBe("/rewards/rew_card"))
  })

  it("takes a member and finds the reward by typing, above the catalogue", async () => {
    const { user, router, requests } = await opened("/rewards?act=redeem&for=mem_8Fq2Lx41")
    await user.type(await screen.findByRole("combobox", { name: "Reward" }), "fuel")
    await screen.findByRole("option", { name: /Fuel card/ })
    expect(screen.queryByRole("option", { name: /Drill kit/ })).not.toBeInTheDocument()
    expect(screen.queryByText(/Couldn’t load/)).not.toBeInTheDocument()
    await user.keyboard("{Enter}")
    expect(await send()).toBeEnabled()
    expect(router.state.location.search).toMatchObject({ for: ana.id, reward_id: "rew_card" })
    expect(requests).toContain("GET /api/rewards?status=active&page=1&per_page=100")
  })

  it("moves the focus from the member to the reward and on to the quantity", async () => {
    const { user } = await opened("/rewards?act=redeem")
    await user.type(await screen.findByRole("combobox", { name: "Member" }), "ana")
    await screen.findByRole("option", { name: /Ana Silva/ })
    await user.keyboard("{Enter}")
    await waitFor(() => expect(screen.getByRole("combobox", { name: "Reward" })).toHaveFocus())
    await user.keyboard("fuel")
    await screen.findByRole("option", { name: /Fuel card/ })
    await user.keyboard("{Enter}")
    await waitFor(() => expect(screen.getByLabelText(/^Quantity/)).toHaveFocus())
  })

  it("shows the balance and the cost as the quantity changes", async () => {
    const { user } = await opened(digital)
    await send()
    expect(screen.queryByText(/Something went wrong|Couldn’t load/)).not.toBeInTheDocument()
    await user.click(screen.getByRole("button", { name: "One more" }))
    expect(await send("Redeem 2 × Fuel card for Ana Silva, 10,000 points")).toBeEnabled()
    expect(screen.getByText("2,480")).toBeVisible()
    await user.click(screen.getByRole("button", { name: "One more" }))
    expect(await screen.findByText("Not enough points: 2,520 short of 15,000")).toBeVisible()
    expect(await send("Redeem 3 × Fuel card for Ana Silva, 15,000 points")).toBeDisabled()
  })

  it("refuses an invalid quantity when the field is left, until it is changed, and forecasts nothing", async () => {
    const { user } = await opened(digital)
    await send()
    const quantity = screen.getByLabelText(/^Quantity/)
    for (const typed of ["1.5", "0", "-1", "abc", ""]) {
      fill(quantity, typed)
      expect(await send("Redeem Fuel card for Ana Silva")).toBeVisible()
      expect(screen.queryByText("points after")).not.toBeInTheDocument()
      expect(screen.queryByText("Enter a whole number from 1.")).not.toBeInTheDocument()
      await user.click(quantity)
      await user.tab()
      expect(await screen.findByText("Enter a whole number from 1.")).toBeVisible()
    }
    fill(quantity, "2")
    expect(await send("Redeem 2 × Fuel card for Ana Silva, 10,000 points")).toBeEnabled()
    expect(screen.queryByText("Enter a whole number from 1.")).not.toBeInTheDocument()
  })

  it("prefills the program's country, which alone is not an address", async () => {
    const odd = reward("rew_odd", { name: "Odd thing" })
    const program = { name: "Kiwi Rewards", time_zone: "Pacific/Auckland", currency: "NZD", country: "NZ" }
    const { sent, user } = await opened("/rewards/rew_odd?act=redeem&reward_id=rew_odd&for=mem_8Fq2Lx41", {
      rewards: [odd],
      settings: { program },
      answers: { "GET /api/program/rewards/rew_odd": () => ({ ...odd, type: "voucher" }) },
    })
    expect(await screen.findByRole("combobox", { name: "Country" })).toHaveValue("New Zealand")
    await user.click(await send("Redeem 1 × Odd thing for Ana Silva, 5,000 points"))
    await screen.findByText("1 × Odd thing redeemed for Ana Silva")
    expect(sent()[0]?.body).toMatchObject({ rows: [{ reward_id: "rew_odd", quantity: 1 }] })
    expect(JSON.stringify(sent()[0]?.body)).not.toContain("shipping_address")
  })

  it("offers the last redemption's address, which can be edited before sending", async () => {
    const address = {
      name: "A. Silva",
      line1: "1 Reef Street",
      city: "Cairns",
      postal_code: "4870",
      country: "AU",
    }
    const { user, sent } = await opened(physical, {
      answers: {
        [`GET /api/members/${ana.id}/address`]: () => ({ address, captured_at: "2025-11-12T02:00:00Z" }),
      },
    })
    await user.click(await screen.findByRole("button", { name: "Use the last address (12 Nov 2025)" }))
    expect(screen.getByRole("combobox", { name: "Country" })).toHaveValue("Australia")
    fill(screen.getByLabelText("Address"), "2 Reef Street")
    await user.click(await send("Redeem 1 × Drill kit for Ana Silva, 9,500 points"))
    await screen.findByText("1 × Drill kit redeemed for Ana Silva")
    expect(sent()[0]?.body).toMatchObject({
      rows: [{ shipping_address: { ...address, line1: "2 Reef Street" } }],
    })
  })

  it("asks for the address of a physical reward and sends it", async () => {
    const { user, sent } = await opened(physical)
    fill(await screen.findByLabelText("Address"), "4 Aerodrome Road")
    expect(screen.getByLabelText("Name")).toHaveValue("Ana Silva")
    const country = screen.getByRole("combobox", { name: "Country" })
    await user.click(await send("Redeem 1 × Drill kit for Ana Silva, 9,500 points"))
    await waitFor(() => expect(screen.getByLabelText("City")).toBeInvalid())
    expect(sent()).toHaveLength(0)
    fill(screen.getByLabelText("City"), "Maroochydore")
    fill(screen.getByLabelText("Postcode"), "0455")
    fill(country, "austral")
    fireEvent.keyDown(country, { key: "Enter" })
    expect(country).toHaveValue("Australia")
    await user.click(await send("Redeem 1 × Drill kit for Ana Silva, 9,500 points"))
    await screen.findByText("1 × Drill kit redeemed for Ana Silva")
    expect(sent()[0]?.body).toMatchObject({
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
    await opened(digital, { member: { balance: 4999 } })
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
    const { user, sent } = await opened(digital, opening)
    const checks = within(await screen.findByRole("list", { name: "Checks" }))
    expect(await checks.findByText(words)).toBeVisible()
    await user.click(await send())
    await waitFor(() => expect(sent()).toHaveLength(1))
  })

  it("not when the balance failed to load: the service decides", async () => {
    await opened(digital, {
      answers: { [`GET /api/program/members/${ana.id}/balance`]: () => refusal(403, "forbidden") },
    })
    expect(await screen.findByText(/Couldn’t load the balance/)).toBeVisible()
    expect(await send()).toBeEnabled()
  })

  it("for a role without the capability, with the role that has it", async () => {
    await opened(digital, { as: "viewer" })
    expect(await screen.findByText("Redeeming requires the Manager role")).toBeVisible()
  })
})

describe("outcome of a redemption", () => {
  it("shows that it was matched by time", async () => {
    const { user, sandbox } = await opened(digital)
    sandbox.faults.add({ kind: "drop-after", match: { api: "program", method: "POST", times: 1 } })
    await user.click(await send())
    expect(await screen.findByText("Matched by time, not by reference")).toBeVisible()
  })
})

describe("code of a digital reward", () => {
  const reveal = async () => {
    const all = await opened(digital)
    await all.user.click(await send())
    await all.user.click(await screen.findByRole("button", { name: "Reveal" }))
    await all.user.type(screen.getByLabelText("Reason for revealing"), "Read out on the phone{Enter}")
    const code = all.sandbox.store.orders.all.find(({ rewardId }) => rewardId === card.id)?.code ?? ""
    expect(code).not.toBe("")
    return { ...all, code }
  }

  it("is masked, revealed with a reason, and not stored", async () => {
    const { code, queryClient, user, writes } = await reveal()
    expect(await screen.findByText(code)).toBeVisible()
    expect(writes.at(-1)?.body).toEqual({ reason: "Read out on the phone" })
    const stored = queryClient
      .getQueryCache()
      .getAll()
      .map(({ state }) => state.data)
    const changed = queryClient
      .getMutationCache()
      .getAll()
      .map(({ state }) => state.data)
    expect(JSON.stringify([stored, changed, sessionStorage, localStorage, history.state])).not.toContain(code)
    await user.click(screen.getByRole("button", { name: "Hide" }))
    expect(screen.queryByText(code)).not.toBeInTheDocument()
  })

  it("is removed when the drawer is closed and opened again", async () => {
    const { code, user, router } = await reveal()
    await screen.findByText(code)
    const { outcome } = z.object({ outcome: z.string() }).parse(router.state.location.search)
    await user.click(screen.getByRole("button", { name: "Done" }))
    await router.navigate({
      to: "/rewards/$rewardId",
      params: { rewardId: "rew_card" },
      search: { act: "redeem", outcome },
    })
    expect(await screen.findByRole("button", { name: "Reveal" })).toBeVisible()
    expect(screen.queryByText(code)).not.toBeInTheDocument()
  })

  it("missing in the order is explained", async () => {
    const answers: Record<string, () => unknown> = {}
    const { user, sandbox } = await opened(digital, { answers })
    await user.click(await send())
    await user.click(await screen.findByRole("button", { name: "Reveal" }))
    const order_id = sandbox.store.orders.all.find(({ rewardId }) => rewardId === card.id)?.id ?? ""
    answers[`POST /api/orders/${order_id}/reveal`] = () =>
      ({
        order_id,
        code: null,
        why_none: "not_carried",
        message: "The order has no code.",
        seen: null,
      }) satisfies OrderCode
    await user.type(screen.getByLabelText("Reason for revealing"), "Read out on the phone{Enter}")
    expect(await screen.findByText("The order has no code.")).toBeVisible()
  })
})
