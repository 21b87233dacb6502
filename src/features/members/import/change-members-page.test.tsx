import { screen, waitFor, within } from "@testing-library/react"
import { beforeEach, describe, expect, it, vi } from "vitest"
import { copyMembers } from "../../../../tests/faults/made-up-rows.ts"
import { ana, openPage, setAna } from "../../../../tests/support/open-page.tsx"
import type { Sandbox } from "../../../../sandbox/app.ts"
import type { MemberRecord } from "../../../../sandbox/store/records.ts"

beforeEach(() => {
  // A window of 600 px with rows of 40: jsdom has no layout, so no row would be visible.
  vi.spyOn(Element.prototype, "clientHeight", "get").mockReturnValue(600)
  vi.spyOn(HTMLElement.prototype, "offsetHeight", "get").mockReturnValue(40)
})

/** Opens a file, made of the members of the sandbox without Ana Silva. */
async function openFile(
  rows: string | ((others: readonly MemberRecord[], sandbox: Sandbox) => string),
  opening: Parameters<typeof openPage>[1] = {},
) {
  let text = ""
  const opened = await openPage("/members/change", {
    ...opening,
    prepare: (sandbox) => {
      setAna({ phone: "0400 000 001", status: "active" })(sandbox)
      const others = copyMembers(sandbox).filter(({ id }) => id !== ana.id)
      text = typeof rows === "string" ? rows : rows(others, sandbox)
    },
  })
  await screen.findByRole("button", { name: "Choose a file" })
  const input = document.querySelector<HTMLInputElement>("input[type=file]")
  if (input === null) throw new Error("There is no field for a file.")
  await opened.user.upload(input, new File([text], "staff.csv", { type: "text/csv" }))
  const panel = within(await screen.findByRole("complementary", { name: "What will happen" }))
  const button = async (name: string) => {
    const found = await panel.findByRole("button", { name })
    await waitFor(() => expect(found).toBeEnabled())
    return found
  }
  return { ...opened, panel, button }
}

const sentRows = ({ writes }: Awaited<ReturnType<typeof openFile>>) =>
  writes.filter(({ line }) => line.endsWith("/rows")).map(({ body }) => body)

describe("changing members from a file", () => {
  it("shows each field before, now and after, and sends exactly what changes", async () => {
    const opened = await openFile(
      `email,company,phone,status\n${ana.email.toUpperCase()},Tidal Air,(clear),active\n`,
    )
    const { user, sandbox, button, router } = opened
    await button("Change 1 member")
    await user.click(screen.getByText("What changes"))
    const table = within(await screen.findByRole("table", { name: "What changes" }))
    const rows = table.getAllByRole("row").map(({ textContent }) => textContent)
    expect(rows).toEqual([
      "MemberBeforeNowAfter",
      `Ana SilvaCompany${ana.company}${ana.company}Tidal Air`,
      "Ana SilvaPhone0400 000 0010400 000 001Empty",
    ])
    await user.click(await button("Change 1 member"))
    await waitFor(() => expect(router.state.location.pathname).toMatch(/^\/jobs\/J-/))
    expect(sentRows(opened)).toMatchObject([
      {
        rows: [
          {
            email: ana.email.toUpperCase(),
            company: "Tidal Air",
            phone: "",
            expected: { company: ana.company, phone: "0400 000 001" },
          },
        ],
      },
    ])
    await waitFor(() => expect(sandbox.store.members.get(ana.id)).toMatchObject({ company: "Tidal Air" }))
  })

  it("refuses a row whose id and e-mail are two members’, and takes one where they agree", async () => {
    const { panel, button } = await openFile(
      ([bo]) =>
        `id,email,company\n${ana.id},${bo?.email},Tidal Air\n${bo?.id},${bo?.email?.toUpperCase()},Tidal Air\n`,
    )
    await button("Change 1 member")
    expect(panel.getByText("Members").parentElement).toHaveTextContent("Members1")
    expect(screen.getByText(/^The id is Ana Silva, the e-mail is .+: remove the wrong one$/)).toBeVisible()
  })

  it("is undone on the job’s page: the members get the values from before", async () => {
    const { user, sandbox, button } = await openFile(`id,status\n${ana.id},inactive\n`)
    await user.click(await button("Deactivate 1 member"))
    await waitFor(() => expect(sandbox.store.members.get(ana.id)?.status).toBe("inactive"))
    await user.click(await screen.findByRole("button", { name: "Undo" }))
    const dialog = within(await screen.findByRole("dialog", { name: "Undo these changes?" }))
    await user.click(await dialog.findByRole("button", { name: "Undo 1 change" }))
    await waitFor(() => expect(sandbox.store.members.get(ana.id)?.status).toBe("active"))
    expect(await screen.findByText("Takes back", { exact: false })).toBeVisible()
  })

  it("leaves out unknown and ambiguous e-mails, and members who have the values already", async () => {
    const opened = await openFile(([one, two, three], { store: { members } }) => {
      if (one === undefined || two === undefined || three === undefined) throw new Error("Too few members.")
      members.put({ ...two, email: one.email })
      members.put({ ...three, company: "Tidal Air" })
      return [
        "member,company",
        `${ana.id},Tidal Air`,
        "unknown@site.test,X",
        `${one.email},X`,
        "mem_none,X",
        `${three.id},Tidal Air`,
        `${ana.email},Other`,
      ].join("\n")
    })
    await opened.button("Change 1 member")
    for (const words of [
      "No member has this e-mail",
      "Several members have this e-mail: use the member id",
      "No member has this id",
      "Same member as row 2",
    ])
      expect(await screen.findByText(words)).toBeInTheDocument()
    expect(opened.panel.getByText("Nothing to change")).toBeVisible()
    await opened.user.click(await opened.button("Change 1 member"))
    await waitFor(() => expect(opened.router.state.location.pathname).toMatch(/^\/jobs\/J-/))
    expect(sentRows(opened)).toMatchObject([
      {
        rows: [{ member_id: ana.id, company: "Tidal Air" }],
        excluded: expect.arrayContaining([
          expect.objectContaining({ message: "The member already has these values" }),
        ]),
      },
    ])
  })

  it("asks about a field that someone changed since the file was opened", async () => {
    const { user, button, ask, panel } = await openFile(`id,company\n${ana.id},Tidal Air\n`)
    await button("Change 1 member")
    await ask(`PATCH /program/members/${ana.id}`, { company: "Northern Air" })
    await user.click(await button("Compare again"))
    expect(
      await screen.findByText("Changed to “Northern Air” since the file was opened: keep it to replace that"),
    ).toBeInTheDocument()
    expect(await panel.findByRole("button", { name: "Change 0 members" })).toBeDisabled()
    await user.click(await screen.findByRole("button", { name: "Keep row 2" }))
    await button("Change 1 member")
    await user.click(screen.getByText("What changes"))
    const table = within(await screen.findByRole("table", { name: "What changes" }))
    expect(table.getAllByRole("row")[1]).toHaveTextContent(
      `Ana SilvaCompany${ana.company}Northern AirTidal Air`,
    )
  })

  it("deactivates a list of e-mails without a status column in one more click", async () => {
    const { user, button, panel, sandbox } = await openFile(`e-mail\n${ana.email}\n`)
    await user.click(await panel.findByRole("button", { name: "Deactivate all rows" }))
    await user.click(await button("Deactivate 1 member"))
    await waitFor(() => expect(sandbox.store.members.get(ana.id)?.status).toBe("inactive"))
  })

  it("reads many members in pages of the list, not one by one", async () => {
    const { button, requests } = await openFile(
      (others) => ["id,company", ...others.map(({ id }) => `${id},Tidal Air`)].join("\n"),
      { sandbox: { members: 250 } },
    )
    await button("Change 249 members")
    expect(requests.filter((line) => line.startsWith("GET /api/program/members")).length).toBeLessThanOrEqual(
      3,
    )
  })

  it("is closed to viewers, with the reason", async () => {
    await openPage("/members/change", { as: "viewer" })
    expect(await screen.findByText("Changing members requires the Manager role")).toBeVisible()
  })
})

it("a conflict on the job’s page shows the three values and offers to send it all the same", async () => {
  const { user, button, ask, sandbox } = await openFile(`id,company\n${ana.id},Tidal Air\n`)
  const start = await button("Change 1 member")
  await ask(`PATCH /program/members/${ana.id}`, { company: "Northern Air" })
  await user.click(start)
  await user.click(await screen.findByRole("link", { name: /^(Ana Silva|mem_)/ }))
  const panel = within(await screen.findByRole("complementary", { name: /^Row/ }))
  const table = within(await panel.findByRole("table", { name: "Versions of the member" }))
  expect(table.getAllByRole("row").map(({ textContent }) => textContent)).toEqual([
    "FieldBeforeNowAfter",
    `Company${ana.company}Northern AirchangedTidal Air`,
  ])
  await user.click(panel.getByRole("radio", { name: /^Send it all the same/ }))
  await user.click(panel.getByRole("button", { name: "Send it all the same" }))
  await waitFor(() => expect(sandbox.store.members.get(ana.id)?.company).toBe("Tidal Air"))
})
