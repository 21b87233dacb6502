import { screen, within } from "@testing-library/react"
import { describe, expect, test } from "vitest"
import { carrierSettings, firstCarriers } from "../../../contract/orders.ts"
import type { Role } from "../../../contract/roles.ts"
import { fill, openPage } from "../../../tests/support/open-page.tsx"
import { refusal, type Handlers } from "../../../tests/support/test-app.tsx"
import { carriersSchema, toLines } from "./carriers-page.tsx"

const open = (as: Role = "manager", answers: Handlers = {}) => openPage("/settings/carriers", { as, answers })

const save = async () =>
  within(await screen.findByRole("form", { name: "Carriers" })).findByRole("button", { name: "Save" })

describe("carriers", () => {
  test("are renamed and disabled, and saved together", async () => {
    const { user, saved } = await open()
    const name = await screen.findByRole("textbox", { name: "Name of StarTrack" })
    expect(await save()).toBeDisabled()
    await user.clear(name)
    await fill(user, name, "StarTrack Express")
    await user.click(screen.getByRole("checkbox", { name: "Enable UPS" }))
    await user.click(await save())
    expect(await screen.findByText("Saved.")).toBeVisible()
    const { carriers } = carrierSettings.parse(await saved("carriers"))
    expect(carriers).toHaveLength(firstCarriers.carriers.length)
    expect(carriers.find(({ code }) => code === "startrack")?.name).toBe("StarTrack Express")
    expect(carriers.find(({ code }) => code === "ups")?.offered).toBe(false)
  })

  test("are added with a unique code, and removed", async () => {
    const { user, saved } = await open()
    await user.click(await screen.findByRole("button", { name: "Remove OnTrac" }))
    await user.click(screen.getByRole("button", { name: "Add a carrier" }))
    const last = screen.getAllByRole("textbox", { name: /^Name of carrier/ })[0]
    expect(last).toHaveFocus()
    await user.keyboard("Aramex NZ")
    await user.click(screen.getByRole("textbox", { name: "Link of Aramex NZ" }))
    await user.paste("https://aramex.example/track/{number}")
    await user.click(await save())
    expect(await screen.findByText("Saved.")).toBeVisible()
    const { carriers } = carrierSettings.parse(await saved("carriers"))
    expect(carriers.some(({ code }) => code === "ontrac")).toBe(false)
    expect(carriers.at(-1)).toEqual({
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
  ])("with the link %s are not saved, and the field shows the valid form", async (link) => {
    const { user, writes } = await open()
    const field = await screen.findByRole("textbox", { name: "Link of DHL" })
    await user.clear(field)
    await user.click(field)
    await user.paste(link)
    await user.click(await save())
    expect(field).toHaveAccessibleDescription(/starts with https:\/\/ and contains \{number\} once/)
    expect(writes).toEqual([])
  })

  test("preserve the typed values when saving is refused", async () => {
    const { user } = await open("admin", {
      "PUT /api/settings/carriers": () => refusal(503, "store_unavailable"),
    })
    const name = await screen.findByRole("textbox", { name: "Name of DHL" })
    await user.type(name, " Express")
    await user.click(await save())
    expect(await screen.findByText(/Couldn’t save the carriers/)).toBeVisible()
    expect(name).toHaveValue("DHL Express")
  })

  test.each(["fulfilment", "viewer"] as const)(
    "are read-only for a %s, who sees which role can change them",
    async (role) => {
      await open(role)
      expect(await screen.findByRole("cell", { name: "Australia Post" })).toBeVisible()
      expect(screen.getByText("Changing this requires the Manager role.")).toBeVisible()
      expect(await screen.findByText("No address")).toBeVisible()
      expect(screen.queryByRole("textbox")).not.toBeInTheDocument()
    },
  )
})

test("get new codes that differ from each other and from existing ones", () => {
  const line = { code: "", name: "DHL", link: "", offered: true }
  const { carriers } = carriersSchema.parse({
    carriers: [...toLines(firstCarriers).carriers, line, line, { ...line, name: "配送" }],
    edition: firstCarriers.edition,
  })
  expect(carriers.slice(-3).map(({ code }) => code)).toEqual(["dhl-2", "dhl-3", "carrier"])
})

test("sender's address for packing slips is saved as typed, line by line", async () => {
  const { user, saved } = await open()
  await user.type(
    await screen.findByRole("textbox", { name: /^Address on packing slips/ }),
    "Laurel Rewards{Enter}1 Dock Road",
  )
  const form = within(screen.getByRole("form", { name: "Sender" }))
  await user.click(form.getByRole("button", { name: "Save" }))
  expect(await form.findByText("Saved.")).toBeVisible()
  expect(await saved("sender")).toEqual({ address: "Laurel Rewards\n1 Dock Road" })
})
