import { screen, waitFor, within } from "@testing-library/react"
import { afterEach, describe, expect, it, vi } from "vitest"
import { stopShipping } from "../../../ship/outbox/shipping.ts"
import { openShip } from "../testing/open-ship.tsx"
import { sound } from "./chime.ts"

afterEach(() => {
  stopShipping()
  vi.unstubAllGlobals()
  sound.set("on")
})

const field = (name: string) => screen.findByRole("textbox", { name })

describe("the ship desk", () => {
  it("ships by hand with keys alone: Enter takes the oldest order, the number and Enter keep the parcel", async () => {
    const { user, made } = await openShip()
    await screen.findByText("3, oldest first")
    expect(await field("Scan the order")).toHaveFocus()
    await user.keyboard("{Enter}")
    expect(await screen.findByText("Drill 1", { selector: "section p" })).toBeVisible()
    expect(await screen.findByText("18 Ingham Road")).toBeVisible()
    expect(screen.getByText("2 pieces")).toBeVisible()
    expect(screen.getByText(/estimated from the points/)).toBeVisible()
    await field("Scan the parcel")
    await user.keyboard("RB123456785AU{Enter}")
    expect(await screen.findByText("Kept: Drill 1 for Ana Silva")).toBeVisible()
    // The next one lets it go.
    await user.keyboard("ord_2{Enter}")
    await field("Scan the parcel")
    await user.keyboard("RB123456794AU{Enter}")
    await waitFor(() => expect(made).toHaveLength(1))
    expect(made[0]?.input).toEqual({
      order_id: "ord_1",
      status: "shipped",
      tracking_number: "RB123456785AU",
      carrier: "Australia Post",
      expected: { status: "pending", tracking_number: null, carrier: null },
    })
    expect(made[0]?.key).toMatch(/^[0-9a-f]{32}$/)
    expect(await screen.findByText("1 shipped here today")).toBeVisible()
    expect(screen.getByText("1, oldest first")).toBeVisible()
  })

  it("says aloud and in words why something is refused, and keeps nothing of it", async () => {
    const { user } = await openShip()
    await screen.findByText("3, oldest first")
    await user.keyboard("ord_9{Enter}")
    expect(await screen.findByText("ord_9 is cancelled")).toBeVisible()
    expect(screen.getByRole("alert")).toHaveTextContent(/ord_9 is cancelled/)
    await user.keyboard("ord_1{Enter}")
    await field("Scan the parcel")
    await user.keyboard("9.4E+21{Enter}")
    expect(await screen.findByText(/A spreadsheet rounded this number/, { selector: "div" })).toBeVisible()
    expect(screen.queryByRole("region", { name: "Outbox" })).not.toBeInTheDocument()
  })

  it("asks whose a number is by one key, and takes the parcel back with another", async () => {
    const chosen: unknown[] = []
    const { user } = await openShip({
      handlers: {
        "POST /api/carriers/choice": ({ body }) => {
          chosen.push(body)
          return new Response(null, { status: 204 })
        },
      },
    })
    await screen.findByText("3, oldest first")
    await user.keyboard("ord_1{Enter}")
    await field("Scan the parcel")
    await user.keyboard("33ABC4401927{Enter}")
    await field("Press the carrier’s number")
    await user.keyboard("2")
    expect(await screen.findByText("Kept: Drill 1 for Ana Silva")).toBeVisible()
    expect(chosen).toEqual([{ number: "33ABC4401927", carrier: "startrack" }])
    await user.keyboard("u")
    expect(await screen.findByText("Undone: Drill 1 for Ana Silva")).toBeVisible()
    expect(screen.getByText("3, oldest first")).toBeVisible()
  })

  it("shows three ways what somebody else changed, and overwrites nothing until a person says so", async () => {
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
          return {
            row: 1,
            state: "planned",
            input: {},
            outcome: null,
            upstream_id: null,
            attempts: 1,
            member: null,
            sent_at: null,
            ended_at: null,
            next_look_at: null,
            balance_after: null,
          }
        },
      },
    })
    await screen.findByText("3, oldest first")
    for (const [id, number] of [
      ["ord_1", "RB123456785AU"],
      ["ord_2", "RB123456794AU"],
    ]) {
      await user.keyboard(`${id}{Enter}`)
      await field("Scan the parcel")
      await user.keyboard(`${number}{Enter}`)
      await field("Scan the order")
    }
    const outbox = await screen.findByRole("region", { name: "Outbox" })
    expect(await within(outbox).findByText("THEIRS-1")).toBeVisible()
    expect(decided).toEqual([])
    await user.click(await within(outbox).findByRole("button", { name: "Replace with mine" }))
    await waitFor(() => expect(within(outbox).queryByText("THEIRS-1")).not.toBeInTheDocument())
    expect(decided).toEqual([{ decision: "resend" }])
    expect(await screen.findByText("1 shipped here today")).toBeVisible()
  })

  it("notes in the browser that parcels wait, so that any page goes on sending them", async () => {
    const { user } = await openShip()
    await screen.findByText("3, oldest first")
    await user.keyboard("ord_1{Enter}")
    await field("Scan the parcel")
    await user.keyboard("RB123456785AU{Enter}")
    await screen.findByText("Kept: Drill 1 for Ana Silva")
    expect(localStorage.getItem("laurel:outbox:user-fulfilment")).toBe("holds")
    await user.keyboard("u")
    await screen.findByText("Undone: Drill 1 for Ana Silva")
    expect(localStorage.getItem("laurel:outbox:user-fulfilment")).toBe("empty")
  })

  it("says what of the queue was not loaded", async () => {
    const pending = Array.from({ length: 100 }, (_, index) => ({
      order_id: `ord_${index + 100}`,
      status: "pending",
      reward_name: "Drill",
      created_at: "2026-11-18T00:00:00Z",
    }))
    await openShip({ pending })
    expect(await screen.findByText("100+, oldest of those loaded first")).toBeVisible()
    expect(screen.getByText(/Only the first 100 pending/)).toBeVisible()
  })

  it("remembers that the sound is off", async () => {
    const { user } = await openShip()
    await user.click(screen.getByRole("button", { name: "Sound" }))
    expect(screen.getByRole("button", { name: "Sound" })).toHaveAttribute("aria-pressed", "false")
    expect(localStorage.getItem("laurel:ship-sound")).toBe("off")
  })

  it("loads nothing for a role that does not ship", async () => {
    const { requests } = await openShip({ role: "viewer" })
    expect(await screen.findByText("Your role can’t ship orders")).toBeVisible()
    expect(requests.filter((each) => each.includes("/jobs?") || each.includes("address"))).toEqual([])
  })
})
