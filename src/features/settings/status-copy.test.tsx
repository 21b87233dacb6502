import { screen, within } from "@testing-library/react"
import { expect, test } from "vitest"
import type { CopyStatus, SyncStatus } from "../../../contract/copy.ts"
import type { Role } from "../../../contract/roles.ts"
import { makeStatus } from "../../../tests/support/settings/make-status.ts"
import { openPage } from "../../../tests/support/open-page.tsx"
import type { Handlers } from "../../../tests/support/test-app.tsx"

const members = (changes: Partial<SyncStatus> = {}): SyncStatus => ({
  live: 2431,
  total: 2431,
  complete: true,
  // Minutes are counted from the last half minute of the page's clock.
  synced_at: new Date(Date.now() - 215_000).toISOString(),
  held: null,
  ...changes,
})

const open = (copy: CopyStatus, answers: Handlers = {}, as: Role = "admin") => {
  const status = makeStatus({ copy })
  return openPage("/settings/status", {
    as,
    answers: { "GET /api/status": () => status, "GET /api/status/budget": () => status.budgets, ...answers },
  })
}

const part = async () => within(await screen.findByRole("region", { name: "Local copy" }))

test("a complete copy shows its members and orders, and when they were read", async () => {
  const orders = members({
    live: 12_000,
    total: null,
    synced_at: new Date(Date.now() - 150_000).toISOString(),
  })
  const rewards = members({ live: 38, total: 38 })
  const ledgers = members({ live: 2300, complete: false })
  await open({ mode: "file", orders, rewards, ledgers, members: members() })
  const copy = await part()
  expect(copy.getByText("2,431 members")).toBeVisible()
  expect(copy.getByText("3 min ago")).toBeVisible()
  expect(copy.getByText("12,000 orders")).toBeVisible()
  expect(copy.getByText("38 rewards")).toBeVisible()
  expect(copy.getByText("2,300 of 2,431 members")).toBeVisible()
  expect(copy.getByText("2 min ago")).toBeVisible()
  expect(copy.getByText("In a file beside the store")).toBeVisible()
})

test("a copy that is filling shows how far it is", async () => {
  await open({
    mode: "memory",
    orders: null,
    rewards: null,
    ledgers: null,
    members: members({ live: 2300, total: 10_000, complete: false, synced_at: null }),
  })
  const copy = await part()
  expect(copy.getByText("2,300 of 10,000 members synced")).toBeVisible()
  expect(copy.getByText("None yet")).toBeVisible()
})

test("a copy that is off says what lists do", async () => {
  await open({ mode: "off", members: null, orders: null, rewards: null, ledgers: null })
  const copy = await part()
  expect(copy.getByText("One request to the service each")).toBeVisible()
  expect(copy.queryByText("Last pass")).not.toBeInTheDocument()
})

const held = { reason: "missing", at: new Date().toISOString(), missing: 2000, live: 2431 } as const

test("a held copy explains itself, and an administrator removes the members after a confirmation", async () => {
  const copy: CopyStatus = {
    mode: "file",
    orders: null,
    rewards: null,
    ledgers: null,
    members: members({ held }),
  }
  const { user, writes } = await open(copy, { "POST /api/status/copy/held": () => copy })
  const title = await screen.findByText("2,000 of 2,431 members are missing at the service")
  expect(title).toBeVisible()
  expect(screen.getByText(/Nothing was removed/)).toBeVisible()
  expect(screen.getByText("needs attention")).toBeInTheDocument()
  await user.click(screen.getByRole("button", { name: "Remove them from the copy" }))
  const dialog = within(await screen.findByRole("dialog", { name: "Remove these members?" }))
  expect(dialog.getByText(/Nothing changes at the service/)).toBeVisible()
  await user.click(dialog.getByRole("button", { name: "Remove them" }))
  expect(writes).toMatchObject([{ body: { decision: "accept" } }])
})

test("a copy of another key is kept and checked again, or emptied", async () => {
  const copy: CopyStatus = {
    mode: "file",
    orders: null,
    rewards: null,
    ledgers: null,
    members: members({ held: { ...held, reason: "key", missing: 5 } }),
  }
  const { user, writes } = await open(copy, { "POST /api/status/copy/held": () => copy })
  expect(await screen.findByText("The service knows none of these members")).toBeVisible()
  expect(screen.getByRole("button", { name: "Empty the copy" })).toBeVisible()
  await user.click(screen.getByRole("button", { name: "Keep them and check again" }))
  const dialog = within(await screen.findByRole("dialog", { name: "Check again?" }))
  await user.click(dialog.getByRole("button", { name: "Check again" }))
  expect(writes).toMatchObject([{ body: { decision: "wait" } }])
})

test("others than administrators read who can decide", async () => {
  await open(
    { mode: "file", orders: null, rewards: null, ledgers: null, members: members({ held }) },
    {},
    "manager",
  )
  expect(await screen.findByText("Deciding requires the Administrator role.")).toBeVisible()
  expect(screen.queryByRole("button", { name: /Remove them/ })).not.toBeInTheDocument()
})
