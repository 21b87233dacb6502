import { screen, waitFor, within } from "@testing-library/react"
import { userEvent } from "@testing-library/user-event"
import { describe, expect, test } from "vitest"
import { carrierSettings, type CarrierSettings, firstCarriers } from "../../../contract/orders.ts"
import type { Role } from "../../../contract/roles.ts"
import { refusal, renderApp, sessionOf, type Handlers } from "../../../tests/support/test-app.tsx"
import { makeStatus } from "../../../tests/support/settings/make-status.ts"
import { carriersSchema, linesOf } from "./carriers-page.tsx"

function open(role: Role = "manager", handlers: Handlers = {}) {
  const saved: CarrierSettings[] = []
  const opened = renderApp("/settings/carriers", {
    "GET /api/session": () => sessionOf(role),
    "GET /api/status": () => makeStatus(),
    "GET /api/status/budget": () => [],
    "GET /api/settings/carriers": () => firstCarriers,
    "GET /api/settings/sender": () => ({ address: "" }),
    "PUT /api/settings/carriers": ({ body }) => {
      const settings = carrierSettings.parse(body)
      saved.push(settings)
      return settings
    },
    ...handlers,
  })
  return { ...opened, saved, user: userEvent.setup({ delay: null }) }
}

const save = async () =>
  within(await screen.findByRole("form", { name: "Carriers" })).findByRole("button", { name: "Save" })

describe("carriers", () => {
  test("a carrier is renamed, another no longer offered, and all are saved together", async () => {
    const { user, saved } = open()
    const name = await screen.findByRole("textbox", { name: "Name of StarTrack" })
    expect(await save()).toBeDisabled()
    await user.clear(name)
    await user.type(name, "StarTrack Express")
    await user.click(screen.getByRole("checkbox", { name: "Enable UPS" }))
    await user.click(await save())
    expect(await screen.findByText("Saved.")).toBeVisible()
    const [settings] = saved
    expect(settings?.carriers).toHaveLength(firstCarriers.carriers.length)
    expect(settings?.carriers.find(({ code }) => code === "startrack")?.name).toBe("StarTrack Express")
    expect(settings?.carriers.find(({ code }) => code === "ups")?.offered).toBe(false)
  })

  test("a new carrier gets a code of its own, and one is removed", async () => {
    const { user, saved } = open()
    await user.click(await screen.findByRole("button", { name: "Remove OnTrac" }))
    await user.click(screen.getByRole("button", { name: "Add a carrier" }))
    const last = screen.getAllByRole("textbox", { name: /^Name of carrier/ })[0]
    expect(last).toHaveFocus()
    await user.keyboard("Aramex NZ")
    await user.click(screen.getByRole("textbox", { name: "Link of Aramex NZ" }))
    await user.paste("https://aramex.example/track/{number}")
    await user.click(await save())
    await waitFor(() => expect(saved).toHaveLength(1))
    expect(saved[0]?.carriers.some(({ code }) => code === "ontrac")).toBe(false)
    expect(saved[0]?.carriers.at(-1)).toEqual({
      code: "aramex-nz",
      name: "Aramex NZ",
      link: "https://aramex.example/track/{number}",
      offered: true,
    })
  })

  test.each([
    ["http://carrier.example/{number}"],
    ["https://carrier.example/"],
    ["https://{number}.example/"],
    ["javascript:alert({number})"],
  ])("the link %s is not saved, and its field says what is right", async (link) => {
    const { user, saved } = open()
    const field = await screen.findByRole("textbox", { name: "Link of DHL" })
    await user.clear(field)
    await user.click(field)
    await user.paste(link)
    await user.click(await save())
    expect(field).toHaveAccessibleDescription(/starts with https:\/\/ and contains \{number\} once/)
    expect(saved).toEqual([])
  })

  test("a refused save keeps what was typed", async () => {
    const { user } = open("admin", { "PUT /api/settings/carriers": () => refusal(503, "store_unavailable") })
    const name = await screen.findByRole("textbox", { name: "Name of DHL" })
    await user.type(name, " Express")
    await user.click(await save())
    expect(await screen.findByText(/Couldn’t save the carriers/)).toBeVisible()
    expect(name).toHaveValue("DHL Express")
  })

  test.each(["fulfilment", "viewer"] as const)(
    "a %s reads them and learns who may change them",
    async (role) => {
      open(role)
      expect(await screen.findByRole("cell", { name: "Australia Post" })).toBeVisible()
      expect(screen.getByText("Changing this requires the Manager role.")).toBeVisible()
      expect(await screen.findByText("No address")).toBeVisible()
      expect(screen.queryByRole("textbox")).not.toBeInTheDocument()
    },
  )
})

test("codes of new carriers never meet: not each other's, not one that is there", () => {
  const line = { code: "", name: "DHL", link: "", offered: true }
  const { carriers } = carriersSchema.parse({
    carriers: [...linesOf(firstCarriers).carriers, line, line, { ...line, name: "配送" }],
    edition: firstCarriers.edition,
  })
  expect(carriers.slice(-3).map(({ code }) => code)).toEqual(["dhl-2", "dhl-3", "carrier"])
})

test("the sender's address for packing slips is saved as it is typed, line by line", async () => {
  const saved: unknown[] = []
  const { user } = open("manager", {
    "PUT /api/settings/sender": ({ body }) => {
      saved.push(body)
      return body
    },
  })
  await user.type(
    await screen.findByRole("textbox", { name: /^Address on packing slips/ }),
    "Laurel Rewards{Enter}1 Dock Road",
  )
  const form = within(screen.getByRole("form", { name: "Sender" }))
  await user.click(form.getByRole("button", { name: "Save" }))
  expect(await form.findByText("Saved.")).toBeVisible()
  expect(saved).toEqual([{ address: "Laurel Rewards\n1 Dock Road" }])
})
