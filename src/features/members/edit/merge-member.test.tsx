import { screen, waitFor, within } from "@testing-library/react"
import { expect, test } from "vitest"
import type { MemberMergeView } from "../../../../contract/kinds/member-merge.ts"
import type { Sandbox } from "../../../../sandbox/app.ts"
import { ana, fill, openPage } from "../../../../tests/support/open-page.tsx"

const bo = "mem_bo000000"

/** Ana with 500 points, 40 of them more pending, and an open order; and another member. */
function prepare({ store }: Sandbox): void {
  const member = store.members.get(ana.id)
  const [seeded] = store.orders.all
  if (member === undefined || seeded === undefined) throw new Error("The seed has no Ana.")
  store.members.put({ ...member, balance: 500, pending: 40 })
  store.orders.put({ ...seeded, id: "ord_90001", memberId: ana.id, status: "pending" })
  const dates = { clock: Date.now(), now: Date.now() }
  const given = { id: bo, email: "bo@example.com", first_name: "Bo", last_name: "Zander", status: "active" }
  store.createMember(given, "program", dates)
}

test("a merge names what stays, and moves the points after it is confirmed", async () => {
  const { user, bodies, sandbox } = await openPage(`/members/${ana.id}/merge`, { prepare })
  const chooser = within(await screen.findByRole("dialog", { name: "Merge Ana Silva into another member" }))
  await fill(user, chooser.getByLabelText("Into"), "Zander")
  await user.click(await chooser.findByRole("option", { name: /Bo Zander/ }))
  const dialog = within(await screen.findByRole("dialog", { name: "Merge Ana Silva into Bo Zander?" }))
  expect(await dialog.findByText("40 points pending approval")).toBeVisible()
  expect(dialog.getByText(/open order.*ord_90001/)).toBeVisible()
  expect(
    dialog.getByText(/First 500 points are deducted from Ana Silva, then awarded to Bo Zander/),
  ).toBeVisible()
  expect(sandbox.store.ledger.filter(({ kind }) => kind === "deduct")).toEqual([])
  await user.click(dialog.getByRole("button", { name: "Merge into Bo Zander" }))
  await waitFor(() => expect(sandbox.store.members.get(ana.id)?.balance).toBe(0))
  expect(bodies("POST /api/jobs")).toMatchObject([
    { kind: "member-merge", rows: [{ member_id: ana.id, into: bo, points: 500 }] },
  ])
  expect(await screen.findByText(/^(Merging|Merged) into/)).toBeVisible()
})

test("two members with one name are shown by their e-mail", async () => {
  const { user } = await openPage(`/members/${ana.id}/merge`, {
    prepare(sandbox) {
      prepare(sandbox)
      const other = sandbox.store.members.get(bo)
      if (other !== undefined) sandbox.store.members.put({ ...other, first_name: "Ana", last_name: "Silva" })
    },
  })
  const chooser = within(await screen.findByRole("dialog", { name: "Merge Ana Silva into another member" }))
  await fill(user, chooser.getByLabelText("Into"), "bo@example.com")
  await user.click(await chooser.findByRole("option", { name: /Ana Silva/ }))
  expect(
    await screen.findByRole("dialog", {
      name: /^Merge ana\.silva@.+ into bo@example\.com\?$/,
    }),
  ).toBeVisible()
})

test("a member is not offered to merge into", async () => {
  const { user } = await openPage(`/members/${ana.id}/merge`, { prepare })
  const chooser = within(await screen.findByRole("dialog", { name: "Merge Ana Silva into another member" }))
  await fill(user, chooser.getByLabelText("Into"), "ana.silva@")
  const [message] = await chooser.findAllByText(/^No members match/)
  expect(message).toBeVisible()
  expect(chooser.queryByRole("option")).not.toBeInTheDocument()
})

test("a half done merge is shown as half done, with the row to settle", async () => {
  const half: MemberMergeView = {
    into: bo,
    points: 500,
    step: "stopped",
    deducted: true,
    message: "The points were taken.",
    next: { job: "J-8", row: 1 },
  }
  await openPage(`/members/${ana.id}`, { answers: { [`GET /api/members/${ana.id}/merge`]: () => half } })
  expect(await screen.findByText(/^Half merged into/)).toBeVisible()
  expect(screen.getByRole("link", { name: "Settle it" })).toHaveAttribute(
    "href",
    expect.stringContaining("/jobs/J-8"),
  )
})

test("viewers can't merge members", async () => {
  await openPage(`/members/${ana.id}/merge`, { prepare, as: "viewer" })
  expect(await screen.findByText("Merging members requires the Manager role.")).toBeVisible()
  expect(screen.queryByLabelText("Into")).toBeNull()
})
