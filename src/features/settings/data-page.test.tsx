import { screen, waitFor, within } from "@testing-library/react"
import { expect, test } from "vitest"
import type { Role } from "../../../contract/roles.ts"
import { openPage } from "../../../tests/support/open-page.tsx"

/** Types into a field of a section and saves that section. */
async function change(title: string, label: string, value: string, as: Role = "admin") {
  const { user, saved, writes } = await openPage("/settings/data", { as })
  const section = within(await screen.findByRole("region", { name: title }))
  const field = await section.findByLabelText(label)
  await user.clear(field)
  await user.type(field, value)
  await user.click(section.getByRole("button", { name: "Save" }))
  return { section, field, saved, writes }
}

test("a manager sets the threshold of low stock", async () => {
  const { section, saved } = await change("Low stock", "Low at or below, pieces", "25", "manager")
  expect(await section.findByText("Saved.")).toBeVisible()
  expect(await saved("stock")).toEqual({ low: 25 })
})

test("changing one cache time leaves the others unchanged", async () => {
  const { section, saved } = await change("Cached data", "Orders, seconds", "60")
  expect(await section.findByText("Saved.")).toBeVisible()
  expect(await saved("cache")).toEqual({ members: 30, rewards: 300, leaderboards: 60, orders: 60 })
})

test("an administrator sets how long captured addresses are stored", async () => {
  const { section, saved } = await change("Captured addresses", "Keep for, days", "365")
  expect(await section.findByText("Saved.")).toBeVisible()
  expect(await saved("retention")).toEqual({ address_days: 365 })
})

test.each(["", "ten", "1.5", "-1", "3601"])("%j seconds are refused with a message", async (typed) => {
  const { field, writes } = await change("Cached data", "Members, seconds", typed === "" ? " " : typed)
  await waitFor(() => expect(field).toHaveAccessibleDescription("Enter a whole number from 0 to 3,600."))
  expect(writes).toEqual([])
})

test("a manager sees how long addresses are stored, and which role can change it", async () => {
  await openPage("/settings/data")
  const section = within(await screen.findByRole("region", { name: "Captured addresses" }))
  expect(await section.findByText("90")).toBeVisible()
  expect(section.getByText("Changing this requires the Administrator role.")).toBeVisible()
  expect(section.queryByRole("textbox")).not.toBeInTheDocument()
})

test("an administrator erases what is kept of a member, after a question, and reads what stays", async () => {
  const { user, writes } = await openPage("/settings/data", { as: "admin" })
  const section = within(await screen.findByRole("region", { name: "Erase a member’s local data" }))
  await user.type(section.getByLabelText("Member id"), " mem_none ")
  await user.click(section.getByRole("button", { name: "Erase…" }))
  const dialog = within(await screen.findByRole("dialog", { name: "Erase the local data of mem_none?" }))
  expect(dialog.getByText(/comes back with the next sync/)).toBeVisible()
  await user.click(dialog.getByRole("button", { name: "Erase" }))
  expect(await section.findByText("Nothing was copied of mem_none")).toBeVisible()
  expect(writes).toHaveLength(1)
})

test("other roles are not offered to erase members", async () => {
  await openPage("/settings/data", { as: "manager" })
  expect(await screen.findByRole("region", { name: "Low stock" })).toBeVisible()
  expect(screen.queryByText("Erase a member’s local data")).not.toBeInTheDocument()
})
