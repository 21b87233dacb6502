import { screen, waitFor, within } from "@testing-library/react"
import { describe, expect, it } from "vitest"
import { createdBy, type CreateJob } from "../../../../tests/support/members/create-job.ts"
import { openMember, refusal, type Answers } from "../../../../tests/support/members/open-member.tsx"

async function openCreate(how: CreateJob = {}, answers: Answers = {}) {
  const made = createdBy(how)
  const opened = openMember("/members/new", { answers: { ...made.answers, ...answers } })
  const drawer = within(await screen.findByRole("dialog", { name: "New member" }))
  await drawer.findByLabelText("E-mail")
  return { ...opened, ...made, drawer }
}

type Opened = Awaited<ReturnType<typeof openCreate>>

async function fillIn({ user, drawer }: Opened) {
  await user.type(drawer.getByLabelText("E-mail"), " ana.silva@coastal.test ")
  await user.type(drawer.getByLabelText("First name"), "Ana")
  await user.type(drawer.getByLabelText("Last name"), "Silva")
}

async function send(opened: Opened) {
  await fillIn(opened)
  await opened.user.click(opened.drawer.getByRole("button", { name: "Create Ana Silva" }))
}

describe("creating a member", () => {
  it("shows the cost first, sends one row, and links to the new member", async () => {
    const opened = await openCreate()
    const { user, posted, router } = opened
    await send(opened)

    expect(await screen.findByText("Ana Silva is a member now")).toBeVisible()
    expect(posted.map(({ body }) => body)).toEqual([
      {
        kind: "member-create",
        rows: [{ email: "ana.silva@coastal.test", first_name: "Ana", last_name: "Silva" }],
      },
    ])
    expect(posted[0]?.headers.get("Idempotency-Key")).toMatch(/^[\da-f]{32}$/)
    expect(sessionStorage).toHaveLength(0)
    await user.click(screen.getByRole("link", { name: "Open Ana Silva" }))
    await waitFor(() => expect(router.state.location.pathname).toBe("/members/mem_ana"))
  })

  it("starts with an empty form for another one", async () => {
    const opened = await openCreate()
    await send(opened)
    await opened.user.click(await screen.findByRole("button", { name: "Create another" }))
    expect(await screen.findByLabelText("First name")).toHaveValue("")
  })

  it("sends nothing until every required field is valid", async () => {
    const { user, drawer, posted } = await openCreate()
    await user.type(drawer.getByLabelText("E-mail"), "ana")
    await user.click(drawer.getByRole("button", { name: "Create the member" }))
    expect(await drawer.findByText(/Enter an e-mail address like/)).toBeVisible()
    expect(drawer.getByText("Enter a last name.")).toBeVisible()
    expect(drawer.getByLabelText("E-mail")).toHaveFocus()
    expect(posted).toEqual([])
  })

  it("links to the member who has the e-mail already, and preserves the typed values", async () => {
    const outcome = { code: "already_member", message: "Somebody with this e-mail is a member already." }
    const opened = await openCreate({ state: "failed", outcome })
    await send(opened)
    expect(await screen.findByText(/is a member already/)).toBeVisible()
    expect(screen.getByRole("link", { name: "Open that member" })).toHaveAttribute("href", "/members/mem_ana")
    await opened.user.click(screen.getByRole("button", { name: "Correct and resend" }))
    expect(await screen.findByLabelText("Last name")).toHaveValue("Silva")
  })

  it("marks the field that the server names", async () => {
    const opened = await openCreate(
      {},
      {
        "POST /api/jobs": () =>
          refusal(422, "validation", "Not right.", {
            fields: [{ field: "rows.0.email", message: "The service does not take this address." }],
          }),
      },
    )
    await send(opened)
    expect(await opened.drawer.findByText("The service does not take this address.")).toBeVisible()
    expect(opened.drawer.getByLabelText("E-mail")).toHaveFocus()
  })

  it("sends once, however often the button is pressed", async () => {
    const wait = Promise.withResolvers<void>()
    const opened = await openCreate({ before: wait.promise })
    const { user, drawer, posted } = opened
    await fillIn(opened)
    await user.dblClick(drawer.getByRole("button", { name: "Create Ana Silva" }))
    await user.keyboard("{Control>}{Enter}{/Control}")
    expect(drawer.getByRole("button", { name: "Creating Ana Silva" })).toBeVisible()
    expect(drawer.getByLabelText("Last name")).toBeDisabled()
    wait.resolve()
    expect(await screen.findByText("Ana Silva is a member now")).toBeVisible()
    expect(posted).toHaveLength(1)
  })

  it("shows an unknown outcome, and that it is looked up by e-mail", async () => {
    const opened = await openCreate({ state: "unknown" })
    await send(opened)
    expect(await screen.findByText("Outcome not known yet")).toBeVisible()
    expect(screen.getByText(/is being looked up by the e-mail/)).toBeVisible()
  })
})
