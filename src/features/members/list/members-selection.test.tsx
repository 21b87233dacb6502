import { screen, waitFor, within } from "@testing-library/react"
import { userEvent } from "@testing-library/user-event"
import { afterEach, expect, test, vi } from "vitest"
import type { Member } from "../../../../contract/program/member.ts"
import { refusal, renderApp } from "../../../../tests/support/test-app.tsx"
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
  await user.click(screen.getByRole("button", { name: "Status" }))
  await user.click(within(screen.getByRole("dialog", { name: "Status" })).getByText("Active"))
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

/** A server that deactivates members, except for those in `trouble`. */
function deactivatingServer(trouble: Readonly<Record<string, Response>>) {
  const members: Member[] = [...madeUpMembers(3), madeUpMember("m4", { status: "inactive" })]
  const writes: string[] = []
  const patches = members.map(({ id }, at) => [
    `PATCH /api/program/members/${id}`,
    ({ body }: { body: unknown }) => {
      writes.push(`${id} ${JSON.stringify(body)}`)
      const refused = trouble[id]
      if (refused !== undefined) return refused.clone()
      members[at] = madeUpMember(id, { status: "inactive" })
      return members[at]
    },
  ])
  return { writes, handlers: { ...membersServer(members), ...Object.fromEntries(patches) } }
}

test("deactivating shows the outcome of each member, and leaves failed ones selected", async () => {
  const user = userEvent.setup()
  const { writes, handlers } = deactivatingServer({
    m2: refusal(404, "not_found"),
    m3: refusal(504, "outcome_unknown"),
  })
  const { requests } = renderApp("/members", handlers)
  await pick("Member m1")
  await user.click(screen.getByRole("checkbox", { name: "Select every row shown" }))
  await user.click(screen.getByRole("button", { name: "Deactivate" }))

  const dialog = within(await screen.findByRole("dialog", { name: "Deactivate 4 members" }))
  expect(dialog.getByText(/One is already inactive and stays unchanged/)).toBeVisible()
  expect(dialog.getByText("3 are active.")).toBeVisible()
  await user.click(dialog.getByRole("button", { name: "Deactivate 3 members" }))

  const ended = within(await screen.findByRole("dialog", { name: "1 deactivated, 2 not" }))
  const [first, second, third] = ended.getAllByRole("listitem")
  expect(first).toHaveTextContent("Member m1Deactivated")
  expect(second).toHaveTextContent(/Member m2Record not found\..*Not deactivated/)
  expect(third).toHaveTextContent(/Member m3Outcome not known yet\..*Not known yet$/)
  expect(writes).toEqual(["m1", "m2", "m3"].map((id) => `${id} {"status":"inactive"}`))
  await waitFor(() => expect(listReads(requests)).toHaveLength(2))

  await user.click(ended.getByRole("button", { name: "Done" }))
  expect(bar()).toHaveTextContent("2 selected")
})

test("deactivating inactive members offers nothing to do", async () => {
  const user = userEvent.setup()
  const { writes, handlers } = deactivatingServer({})
  renderApp("/members", handlers)
  await user.click(await pick("Member m4"))
  await user.click(screen.getByRole("button", { name: "Deactivate" }))
  const dialog = within(await screen.findByRole("dialog", { name: "Deactivate 1 member" }))
  await user.click(dialog.getAllByRole("button", { name: "Close" }).at(-1)!)
  expect(writes).toEqual([])
  expect(bar()).toHaveTextContent("1 selected")
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
