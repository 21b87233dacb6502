import { screen, waitFor, within } from "@testing-library/react"
import { expect, test } from "vitest"
import { openSettings, fakeApp } from "../../../tests/support/settings/open-settings.tsx"

const app = fakeApp()

/** Types into a field of a section and saves that section. */
async function change(title: string, label: string, value: string) {
  const { user } = openSettings("/settings/data")
  const section = within(await screen.findByRole("region", { name: title }))
  const field = await section.findByLabelText(label)
  await user.clear(field)
  await user.type(field, value)
  await user.click(section.getByRole("button", { name: "Save" }))
  return { section, field }
}

test("a manager sets the threshold of low stock", async () => {
  app.set({ role: "manager" })
  const { section } = await change("Low stock", "Low at or below, pieces", "25")
  expect(await section.findByText("Saved.")).toBeVisible()
  expect(app.current.stock).toEqual({ low: 25 })
})

test("changing one cache time leaves the others unchanged", async () => {
  const { section } = await change("Cached data", "Orders, seconds", "60")
  expect(await section.findByText("Saved.")).toBeVisible()
  expect(app.current.cache).toEqual({ members: 30, rewards: 300, leaderboards: 60, orders: 60 })
})

test("an administrator sets how long captured addresses are stored", async () => {
  const { section } = await change("Captured addresses", "Keep for, days", "365")
  expect(await section.findByText("Saved.")).toBeVisible()
  expect(app.current.retention).toEqual({ address_days: 365 })
})

test.each(["", "ten", "1.5", "-1", "3601"])("%j seconds are refused with a message", async (typed) => {
  const { field } = await change("Cached data", "Members, seconds", typed === "" ? " " : typed)
  await waitFor(() => expect(field).toHaveAccessibleDescription("Enter a whole number from 0 to 3600."))
  expect(app.current.writes).toEqual([])
})

test("a manager sees how long addresses are stored, and which role can change it", async () => {
  app.set({ role: "manager" })
  openSettings("/settings/data")
  const section = within(await screen.findByRole("region", { name: "Captured addresses" }))
  expect(await section.findByText("90")).toBeVisible()
  expect(section.getByText("Changing this requires the Administrator role.")).toBeVisible()
  expect(section.queryByRole("textbox")).not.toBeInTheDocument()
})
