import { screen, waitFor } from "@testing-library/react"
import { expect, test } from "vitest"
import { fill, openPage } from "../../../tests/support/open-page.tsx"

async function change(label: string, value: string) {
  const opened = await openPage("/settings/program")
  const field = await screen.findByLabelText(label, { selector: "input" })
  await opened.user.clear(field)
  await opened.user.type(field, value)
  await opened.user.click(screen.getByRole("button", { name: "Save" }))
  return { ...opened, field }
}

test("a manager saves the program's name", async () => {
  const { saved } = await change("Name", "Summer Rewards")
  expect(await screen.findByText(/^Saved/)).toBeVisible()
  expect(await saved("program")).toEqual({
    name: "Summer Rewards",
    time_zone: "Australia/Brisbane",
    currency: "AUD",
    country: "AU",
  })
})

test.each([
  ["Time zone", "Brisbane", /Choose a time zone such as/],
  ["Currency", "dollars", /currency code of three letters/],
  ["Currency", "aud", /currency code of three letters/],
  ["Name", " ", /Enter the program’s name/],
])("%s %j is not saved, and the field shows the valid form", async (label, value, message) => {
  const { field, writes } = await change(label, value)
  await waitFor(() => expect(field).toHaveAccessibleDescription(message))
  expect(writes).toEqual([])
})

test("a viewer sees the program and which role can change it", async () => {
  await openPage("/settings/program", { as: "viewer" })
  expect(await screen.findByText("Incentive program")).toBeVisible()
  expect(screen.getByText("Changing this requires the Manager role.")).toBeVisible()
  expect(screen.queryByRole("textbox", { name: "Currency" })).not.toBeInTheDocument()
})

test("an administrator switches the batch code off; others see which role can", async () => {
  const { user, saved } = await openPage("/settings/program", { as: "admin" })
  const box = await screen.findByRole("checkbox", { name: /batch code/ })
  expect(box).toBeChecked()
  await user.click(box)
  expect(await screen.findByText(/^Saved\. Applies/)).toBeVisible()
  expect(await saved("points")).toEqual({ batch_code: false })
})

test("a manager sees the batch code's setting and cannot change it", async () => {
  await openPage("/settings/program")
  const box = await screen.findByRole("checkbox", { name: /batch code/ })
  expect(box).toBeDisabled()
  expect(box).toHaveAccessibleDescription(/Changing this requires the Administrator role/)
})

test("an administrator changes a limit: in points, or in the program's currency for cards", async () => {
  const { user, saved } = await openPage("/settings/program", { as: "admin" })
  const job = await screen.findByRole("textbox", { name: "Largest batch" })
  expect(job).toHaveValue("1,000,000")
  await user.clear(job)
  await fill(user, job, "2,500,000")
  const card = screen.getByRole("textbox", { name: "Largest gift card" })
  await user.clear(card)
  await fill(user, card, "750.50")
  await user.click(screen.getByRole("button", { name: "Save limits" }))
  expect(await screen.findByText("Saved.")).toBeVisible()
  expect(await saved("limits")).toMatchObject({
    points_row: 100_000,
    points_job: 2_500_000,
    card_row_cents: 75_050,
  })
})

test("a limit for one award above the one for a batch is refused at its field", async () => {
  const { user, saved } = await openPage("/settings/program", { as: "admin" })
  const row = await screen.findByRole("textbox", { name: "Largest single award" })
  await user.clear(row)
  await fill(user, row, "2,000,000")
  await user.click(screen.getByRole("button", { name: "Save limits" }))
  expect(await screen.findByText("No more than “Largest batch”: more could never be sent.")).toBeVisible()
  expect(await saved("limits")).toBeUndefined()
  await user.clear(row)
  await fill(user, row, "1,000,000")
  await user.click(screen.getByRole("button", { name: "Save limits" }))
  expect(await screen.findByText("Saved.")).toBeVisible()
})

test("a manager sees the limits and which role can change them", async () => {
  await openPage("/settings/program")
  expect(await screen.findByText("Most one colleague can award in a day")).toBeVisible()
  expect(screen.getByText("5,000,000")).toBeVisible()
  expect(screen.queryByRole("button", { name: "Save limits" })).not.toBeInTheDocument()
})
