import { act, screen, waitFor, within } from "@testing-library/react"
import { afterEach, describe, expect, it } from "vitest"
import { applyOrderChange } from "../../../api/orders.ts"
import { stopShipping } from "./shipping.ts"
import { field, openShip, ready } from "../../../../tests/support/orders/open-ship.tsx"
import { rowOf } from "../../../../tests/support/ship/parcels.ts"

afterEach(stopShipping)

describe("ship desk with several users", () => {
  it("asks about the open order as soon as another user ships it, with its name", async () => {
    const { user, queryClient, made } = await openShip()
    await ready()
    await user.keyboard("ord_1{Enter}")
    await field("Scan the parcel")
    act(() =>
      applyOrderChange(queryClient, "ord_1", {
        status: "shipped",
        tracking_number: "T1",
        carrier: "StarTrack",
      }),
    )
    expect(await screen.findByText("ord_1 is shipped already, with StarTrack T1")).toBeVisible()
    expect(screen.getByText("Drill 1", { selector: "section p" })).toBeVisible()
    expect(screen.getByText("2, oldest first")).toBeVisible()
    await user.keyboard("{Escape}")
    await field("Scan the order")
    expect(made).toEqual([])
  })

  it("publishes which order is open, shows who packs another one, and skips it on Next", async () => {
    const claims: string[] = []
    const record = (what: string) => () => {
      claims.push(what)
      return new Response(null, { status: 204 })
    }
    const { user } = await openShip({
      handlers: {
        "GET /api/orders/claims": () => [{ order_id: "ord_1", by: { id: "usr_priya", name: "Priya Nair" } }],
        "PUT /api/orders/ord_1/claim": record("opened ord_1"),
        "PUT /api/orders/ord_2/claim": record("opened ord_2"),
        "DELETE /api/orders/ord_2/claim": record("left ord_2"),
      },
    })
    const queue = await screen.findByRole("complementary", { name: "To ship" })
    expect(await within(queue).findByText("Priya Nair is packing it")).toBeVisible()
    await user.keyboard("{Enter}")
    expect(await screen.findByText("Drill 2", { selector: "section p" })).toBeVisible()
    await user.click(within(queue).getByRole("button", { name: /Drill 1/ }))
    expect(await screen.findByText(/Check with them before you go on/)).toBeVisible()
    await waitFor(() => expect(claims).toEqual(["opened ord_2", "left ord_2", "opened ord_1"]))
    // Advisory: a claimed order can still be shipped.
    await user.keyboard("RB123456785AU{Enter}")
    expect(await screen.findByText("Scanned: Drill 1 for Ana Silva")).toBeVisible()
  })

  it("shows that an order of the queue was cancelled before its parcel is scanned", async () => {
    const { user, made } = await openShip({
      handlers: {
        "GET /api/program/orders/ord_1": () => ({
          order_id: "ord_1",
          reward_name: "Drill 1",
          status: "cancelled",
        }),
      },
    })
    await ready()
    await user.keyboard("ord_1{Enter}")
    expect(await screen.findByText("Cancelled. Take it back.")).toBeVisible()
    await field("Scan the order")
    expect(made).toEqual([])
  })

  it.each([
    ["no answer", () => new Promise<never>(() => {})],
    [
      "429 and nothing else",
      () => {
        const error = { code: "upstream_limited", message: "Wait." }
        return Response.json({ success: false, error }, { status: 429, headers: { "Retry-After": "1" } })
      },
    ],
  ])(
    "continues with known values while the service responds with %s to the read of an order",
    async (_, answer) => {
      const { user, made } = await openShip({
        row: () => ({ state: "sent" }),
        handlers: Object.fromEntries([1, 2].map((each) => [`GET /api/program/orders/ord_${each}`, answer])),
      })
      await ready()
      await user.keyboard("ord_1{Enter}")
      await field("Scan the parcel")
      expect(await screen.findByText("not checked again yet")).toBeVisible()
      await user.keyboard("RB123456785AU{Enter}")
      await field("Scan the order")
      await user.keyboard("ord_2{Enter}")
      await field("Scan the parcel")
      await waitFor(() => expect(made).toHaveLength(1))
      expect(made[0]?.input["expected"]).toMatchObject({ status: "pending" })
    },
  )

  it("claims an order until its parcel is saved", async () => {
    const claims: string[] = []
    const record = (what: string) => () => {
      claims.push(what)
      return new Response(null, { status: 204 })
    }
    const { user, made } = await openShip({
      row: () => ({ state: "sent" }),
      handlers: {
        "PUT /api/orders/ord_1/claim": record("packs ord_1"),
        "DELETE /api/orders/ord_1/claim": record("left ord_1"),
        "PUT /api/orders/ord_2/claim": record("packs ord_2"),
      },
    })
    await ready()
    await user.keyboard("ord_1{Enter}")
    await field("Scan the parcel")
    await user.keyboard("RB123456785AU{Enter}")
    await field("Scan the order")
    await user.keyboard("ord_2{Enter}")
    await waitFor(() => expect(made).toHaveLength(1))
    await waitFor(() => expect(claims).toContain("packs ord_2"))
    expect(claims).toEqual(["packs ord_1", "packs ord_2"])
  })

  it("shows a conflict three ways, and overwrites nothing without a confirmation", async () => {
    const decided: unknown[] = []
    let resent = false
    const seen = { status: "pending", tracking_number: null, carrier: null }
    const { user } = await openShip({
      row: ({ order_id: id }) =>
        id !== "ord_1" || resent
          ? {}
          : {
              state: "conflict",
              outcome: { code: "changed_there", message: "Somebody else changed this meanwhile." },
              conflict: {
                before: seen,
                theirs: { status: "shipped", tracking_number: "THEIRS-1", carrier: "DHL" },
                yours: { status: "shipped", tracking_number: "RB123456785AU", carrier: "Australia Post" },
              },
            },
      handlers: {
        "POST /api/jobs/J-1/rows/1/decision": ({ body }) => {
          decided.push(body)
          resent = true
          return rowOf("planned")
        },
      },
    })
    await screen.findByText("3, oldest first")
    for (const [id, number] of [
      ["ord_1", "RB123456785AU"],
      ["ord_2", "RB123456799AU"],
    ]) {
      await user.keyboard(`${id}{Enter}`)
      await field("Scan the parcel")
      await user.keyboard(`${number}{Enter}`)
      await field("Scan the order")
    }
    const outbox = await screen.findByRole("region", { name: "Outbox" })
    expect(await within(outbox).findByText("THEIRS-1")).toBeVisible()
    expect(decided).toEqual([])
    expect(within(outbox).getByText("Someone shipped it with THEIRS-1: is this a second box?")).toBeVisible()
    expect(within(outbox).getByRole("button", { name: "Yes, a second box" })).toBeVisible()
    await user.click(within(outbox).getByRole("button", { name: "No, use my number" }))
    await waitFor(() => expect(within(outbox).queryByText("THEIRS-1")).not.toBeInTheDocument())
    expect(decided).toEqual([{ decision: "resend" }])
    expect(await screen.findByText("1 shipped here today")).toBeVisible()
  })

  it("asks for a parcel back whose order was cancelled meanwhile, and ships it only after confirmation", async () => {
    const decided: unknown[] = []
    const { user } = await openShip({
      row: () => ({
        state: "conflict",
        outcome: { code: "changed_there", message: "Someone else changed the order." },
        conflict: {
          before: { status: "pending", tracking_number: null, carrier: null },
          theirs: { status: "cancelled", tracking_number: null, carrier: null },
          yours: { status: "shipped", tracking_number: "RB123456785AU", carrier: "Australia Post" },
        },
      }),
      handlers: {
        "POST /api/jobs/J-1/rows/1/decision": ({ body }) => {
          decided.push(body)
          return rowOf("conflict")
        },
      },
    })
    await screen.findByText("3, oldest first")
    await user.keyboard("ord_1{Enter}")
    await field("Scan the parcel")
    await user.keyboard("RB123456785AU{Enter}")
    const outbox = await screen.findByRole("region", { name: "Outbox" })
    const title = "Cancelled while you packed it. Take the parcel back."
    expect(await within(outbox).findByText(title)).toBeVisible()
    expect(within(outbox).getByRole("button", { name: "Ship it anyway" })).toBeVisible()
    expect(within(outbox).queryByRole("table")).not.toBeInTheDocument()
    await user.click(within(outbox).getByRole("button", { name: "Don’t ship" }))
    await waitFor(() => expect(decided).toEqual([{ decision: "leave" }]))
  })
})
