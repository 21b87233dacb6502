import { screen, waitFor, within } from "@testing-library/react"
import { userEvent } from "@testing-library/user-event"
import { afterEach, expect, test, vi } from "vitest"
import type { Member } from "../../../../contract/program/member.ts"
import { jobServer } from "../../../../tests/support/activity/job-server.ts"
import { madeUpJob } from "../../../../tests/support/activity/made-up-job.ts"
import { renderApp } from "../../../../tests/support/test-app.tsx"
import {
  listReads,
  madeUpMember,
  madeUpMembers,
  membersServer,
} from "../../../../tests/support/members/made-up-list.ts"

const saved = vi.hoisted(() => [] as { name: string; content: Blob }[])
vi.mock("../../../lib/save-file.ts", () => ({
  saveFile: (name: string, content: Blob) => saved.push({ name, content }),
}))
afterEach(() => saved.splice(0))

const pick = (name: string) => screen.findByRole("checkbox", { name: `Select ${name}` })
const bar = () => screen.queryByRole("region", { name: "Selected rows" })

test("a range is selected with Shift, summed up with gaps named, preserved across pages and cleared with Escape", async () => {
  const user = userEvent.setup()
  renderApp("/members?per_page=10", membersServer(madeUpMembers(20)))
  await user.click(await pick("Member m2"))
  await user.keyboard("{Shift>}")
  await user.click(await pick("Member m4"))
  await user.keyboard("{/Shift}")
  expect(bar()).toHaveTextContent("3 selected9 points in total")

  await user.click(screen.getByRole("button", { name: "Next page" }))
  await user.click(await pick("Member m11"))
  expect(bar()).toHaveTextContent("4 selected20 points in total")

  await user.keyboard("{Escape}")
  expect(bar()).not.toBeInTheDocument()
})

test("the header selects the page, and another filter clears the selection", async () => {
  const user = userEvent.setup()
  renderApp("/members?per_page=10", membersServer(madeUpMembers(20)))
  await pick("Member m1")
  await user.click(screen.getByRole("checkbox", { name: "Select every row shown" }))
  expect(bar()).toHaveTextContent("10 selected")
  await user.click(screen.getByRole("link", { name: /^Active/ }))
  await waitFor(() => expect(bar()).not.toBeInTheDocument())
})

test("rows are reached, selected and searched by keyboard", async () => {
  const user = userEvent.setup()
  renderApp("/members", membersServer(madeUpMembers(3)))
  await pick("Member m1")
  await user.keyboard("jj")
  expect(screen.getByRole("link", { name: "Member m2" })).toHaveFocus()
  await user.keyboard("x")
  expect(await pick("Member m2")).toBeChecked()
  await user.keyboard("k")
  expect(screen.getByRole("link", { name: "Member m1" })).toHaveFocus()
  await user.keyboard("/jx")
  expect(screen.getByRole("textbox")).toHaveValue("jx")
})

/** A server that takes jobs, and four members of whom the last is inactive. */
function changingServer() {
  const members: Member[] = [...madeUpMembers(3), madeUpMember("m4", { status: "inactive" })]
  const made: unknown[] = []
  const job = madeUpJob({ kind: "member-update", state: "running", counts: { planned: 3 } })
  const createJob = ({ body }: { body: unknown }) => {
    made.push(body)
    return job
  }
  const handlers = {
    ...jobServer({ job, rows: [] }),
    ...membersServer(members),
    "POST /api/jobs": createJob,
  }
  return { made, handlers }
}

async function openSelected() {
  const user = userEvent.setup()
  const { made, handlers } = changingServer()
  renderApp("/members", handlers)
  await pick("Member m1")
  await user.click(screen.getByRole("checkbox", { name: "Select every row shown" }))
  return { user, made }
}

test("deactivating is one job of the members who change, compared with what is shown", async () => {
  const { user, made } = await openSelected()
  await user.click(screen.getByRole("button", { name: "Deactivate" }))
  const dialog = within(await screen.findByRole("dialog", { name: "Deactivate 4 members" }))
  expect(dialog.getByText(/One has this value already and isn’t sent\./)).toBeVisible()
  await user.click(dialog.getByRole("button", { name: "Deactivate 3 members" }))
  expect(await screen.findByText("Deactivate 3 members")).toBeVisible()
  expect(made).toEqual([
    {
      kind: "member-update",
      rows: ["m1", "m2", "m3"].map((id) => ({
        member_id: id,
        status: "inactive",
        expected: { status: "active" },
      })),
      options: { title: "Deactivate 3 members" },
    },
  ])
  await waitFor(() => expect(bar()).not.toBeInTheDocument())
})

test("inactive members are reactivated, and deactivating is offered only where someone would change", async () => {
  const user = userEvent.setup()
  const { made, handlers } = changingServer()
  renderApp("/members", handlers)
  await user.click(await pick("Member m4"))
  expect(screen.queryByRole("button", { name: "Deactivate" })).not.toBeInTheDocument()
  await user.click(screen.getByRole("button", { name: "Reactivate" }))
  await user.click(await screen.findByRole("button", { name: "Reactivate 1 member" }))
  await waitFor(() =>
    expect(made).toMatchObject([
      { rows: [{ member_id: "m4", status: "active", expected: { status: "inactive" } }] },
    ]),
  )
})

test("one field of the selected members is set, or cleared by an empty value", async () => {
  const { user, made } = await openSelected()
  await user.click(screen.getByRole("button", { name: "Edit" }))
  const dialog = within(await screen.findByRole("dialog", { name: "Edit 4 members" }))
  expect(dialog.getByRole("button", { name: "Choose a value" })).toBeDisabled()
  await user.type(dialog.getByRole("textbox", { name: /^New value/ }), "Tidal Air")
  await user.click(dialog.getByRole("button", { name: "Set the company of 4 members" }))
  await waitFor(() => expect(made).toHaveLength(1))
  expect(made).toMatchObject([
    { rows: expect.arrayContaining([expect.objectContaining({ member_id: "m1", company: "Tidal Air" })]) },
  ])
})

test("selected members are exported without a service request, and the export is audited", async () => {
  const user = userEvent.setup()
  const { requests } = renderApp("/members", {
    ...membersServer([madeUpMember("m1", { metadata: { region: "North" } }), madeUpMember("m2")]),
    "POST /api/exports": () => ({ id: "exp-1" }),
  })
  await user.click(await pick("Member m1"))
  await user.click(within(bar() ?? document.body).getByRole("button", { name: "Export" }))
  await user.click(await screen.findByRole("button", { name: "Export 1 member" }))
  expect(await screen.findByText("1 row was exported")).toBeVisible()
  const [head = "", row = ""] = ((await saved[0]?.content.text()) ?? "").replace("\uFEFF", "").split("\r\n")
  expect(head).toMatch(/^id,.*,metadata\.region$/)
  expect(row).toMatch(/^m1,.*,North$/)
  expect(listReads(requests)).toHaveLength(1)
})
