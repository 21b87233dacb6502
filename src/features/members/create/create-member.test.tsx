import { screen, within } from "@testing-library/react"
import { describe, expect, it } from "vitest"
import { fill, ana, openPage } from "../../../../tests/support/open-page.tsx"

async function openCreate(opening: Parameters<typeof openPage>[1] = {}) {
  const opened = await openPage("/members/new", opening)
  const drawer = within(await screen.findByRole("dialog", { name: "New member" }))
  await drawer.findByLabelText("E-mail")
  return { ...opened, drawer, posted: () => opened.writes.filter(({ line }) => line === "POST /api/jobs") }
}

type Opened = Awaited<ReturnType<typeof openCreate>>

async function fillIn({ user, drawer }: Opened, email = "kim@coastal.test") {
  await fill(user, drawer.getByLabelText("E-mail"), ` ${email} `)
  await fill(user, drawer.getByLabelText("First name"), "Kim")
  await fill(user, drawer.getByLabelText("Last name"), "Later")
}

async function send(opened: Opened, email?: string) {
  await fillIn(opened, email)
  await opened.user.click(opened.drawer.getByRole("button", { name: "Create Kim Later" }))
}

describe("creating a member", () => {
  it("sends one row, links to the new member, and starts another one with an empty form", async () => {
    const opened = await openCreate()
    const { user, posted } = opened
    await send(opened)

    expect(await screen.findByText("Kim Later is a member now")).toBeVisible()
    expect(posted().map(({ body }) => body)).toEqual([
      {
        kind: "member-create",
        rows: [{ email: "kim@coastal.test", first_name: "Kim", last_name: "Later" }],
      },
    ])
    expect(posted()[0]?.headers.get("Idempotency-Key")).toMatch(/^[\da-f]{32}$/)
    expect(sessionStorage).toHaveLength(0)
    expect(screen.getByRole("link", { name: "Open Kim Later" })).toHaveAttribute(
      "href",
      expect.stringMatching(/^\/members\/mem_/),
    )
    await user.click(screen.getByRole("button", { name: "Create another" }))
    expect(await screen.findByLabelText("First name")).toHaveValue("")
  })

  it("sends nothing until every required field is valid", async () => {
    const { user, drawer, posted } = await openCreate()
    await user.type(drawer.getByLabelText("E-mail"), "ana")
    await user.click(drawer.getByRole("button", { name: "Create the member" }))
    expect(await drawer.findByText(/Enter an e-mail address like/)).toBeVisible()
    expect(drawer.getByText("Enter a last name.")).toBeVisible()
    expect(drawer.getByLabelText("E-mail")).toHaveFocus()
    expect(posted()).toEqual([])
  })

  it("links to the member who has the e-mail already, and preserves the typed values", async () => {
    const opened = await openCreate()
    await send(opened, ana.email)
    expect(await screen.findByRole("link", { name: "Open that member" })).toHaveAttribute(
      "href",
      `/members/${ana.id}`,
    )
    await opened.user.click(screen.getByRole("button", { name: "Correct and resend" }))
    expect(await screen.findByLabelText("Last name")).toHaveValue("Later")
  })

  it("shows an unknown outcome, and that it is looked up by e-mail", async () => {
    const opened = await openCreate()
    opened.sandbox.faults.add({ kind: "drop-before", match: { method: "POST" } })
    await send(opened)
    expect(await screen.findByText("Outcome not known yet")).toBeVisible()
    expect(screen.getByText(/is being looked up by the e-mail/)).toBeVisible()
  })
})
