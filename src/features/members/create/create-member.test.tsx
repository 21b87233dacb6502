import { screen, waitFor, within } from "@testing-library/react"
import { describe, expect, it } from "vitest"
import { ana, openMember, refusal, success, type Answers } from "../testing/open-member.tsx"

const create = "POST /api/program/members"
const list = "GET /api/program/members"

async function openCreate(answers: Answers = {}) {
  const opened = openMember("/members/new", { answers })
  const drawer = within(await screen.findByRole("dialog", { name: "New member" }))
  await drawer.findByLabelText("E-mail")
  return { ...opened, drawer }
}

type Opened = Awaited<ReturnType<typeof openCreate>>

async function fillIn({ user, drawer }: Opened) {
  await user.type(drawer.getByLabelText("E-mail"), " ana.silva@coastal.test ")
  await user.type(drawer.getByLabelText("First name"), "Ana")
  await user.type(drawer.getByLabelText("Last name"), "Silva")
}

describe("creating a member", () => {
  it("says what it costs before, sends what was filled in, and offers the new member", async () => {
    const opened = await openCreate({ [create]: () => ana })
    const { user, drawer, sent, router } = opened
    expect(drawer.getByText("2 requests, about 2 s")).toBeVisible()
    await fillIn(opened)
    await user.click(drawer.getByRole("button", { name: "Create Ana Silva" }))

    expect(await screen.findByText("Ana Silva is a member now")).toBeVisible()
    expect(sent("POST").map((one) => one.body)).toEqual([
      { email: "ana.silva@coastal.test", first_name: "Ana", last_name: "Silva" },
    ])
    expect(sessionStorage).toHaveLength(0)
    await user.click(screen.getByRole("link", { name: "Open Ana Silva" }))
    await waitFor(() => expect(router.state.location.pathname).toBe("/members/mem_ana"))
  })

  it("begins empty again for another one", async () => {
    const opened = await openCreate({ [create]: () => ana })
    await fillIn(opened)
    await opened.user.click(opened.drawer.getByRole("button", { name: "Create Ana Silva" }))
    await opened.user.click(await screen.findByRole("button", { name: "Create another" }))
    expect(await screen.findByLabelText("First name")).toHaveValue("")
  })

  it("sends nothing until every required field is right", async () => {
    const { user, drawer, sent } = await openCreate()
    await user.type(drawer.getByLabelText("E-mail"), "ana")
    await user.click(drawer.getByRole("button", { name: "Create the member" }))
    expect(await drawer.findByText(/Enter an e-mail address like/)).toBeVisible()
    expect(drawer.getByText("Enter a last name.")).toBeVisible()
    expect(drawer.getByLabelText("E-mail")).toHaveFocus()
    expect(sent("POST")).toEqual([])
  })

  it("leads to the member who has the e-mail already, and keeps what was typed", async () => {
    const opened = await openCreate({
      [create]: () =>
        refusal(409, "conflict", "This e-mail is already a member: Ana Silva. Nothing was created.", {
          member_id: "mem_ana",
          fields: [{ field: "email", message: "Already a member." }],
        }),
    })
    const { user, drawer } = opened
    await fillIn(opened)
    await user.click(drawer.getByRole("button", { name: "Create Ana Silva" }))
    expect(await drawer.findByText("Already a member.")).toBeVisible()
    expect(drawer.getByRole("link", { name: "Open that member" })).toHaveAttribute("href", "/members/mem_ana")
    expect(drawer.getByLabelText("Last name")).toHaveValue("Silva")
  })

  it("sends once however often the button is pressed", async () => {
    const answer = Promise.withResolvers<unknown>()
    const opened = await openCreate({ [create]: () => answer.promise })
    const { user, drawer, sent } = opened
    await fillIn(opened)
    const button = drawer.getByRole("button", { name: "Create Ana Silva" })
    await user.dblClick(button)
    await user.keyboard("{Control>}{Enter}{/Control}")
    expect(drawer.getByRole("button", { name: "Creating Ana Silva" })).toBeVisible()
    expect(drawer.getByLabelText("Last name")).toBeDisabled()
    answer.resolve(ana)
    expect(await screen.findByText("Ana Silva is a member now")).toBeVisible()
    expect(sent("POST")).toHaveLength(1)
  })
})

function unknown() {
  return refusal(504, "outcome_unknown", "No answer came. Whether the member was created is not known.")
}

describe("a creation whose outcome is not known", () => {
  it("says so and finds the member when it is there after all", async () => {
    const opened = await openCreate({
      [create]: unknown,
      [list]: ({ query }) => success(query["search"] === ana.email ? [ana] : []),
    })
    const { user, drawer } = opened
    await fillIn(opened)
    await user.click(drawer.getByRole("button", { name: "Create Ana Silva" }))
    expect(await drawer.findByText(/Whether the member was created is not known/)).toBeVisible()
    await user.click(drawer.getByRole("button", { name: "Look again" }))
    expect(await drawer.findByRole("link", { name: "Open Ana Silva" })).toBeVisible()
  })

  it("says when nobody had the e-mail, and keeps what was typed", async () => {
    const opened = await openCreate({ [create]: unknown })
    const { user, drawer } = opened
    await fillIn(opened)
    await user.click(drawer.getByRole("button", { name: "Create Ana Silva" }))
    await user.click(await drawer.findByRole("button", { name: "Look again" }))
    expect(await drawer.findByText(/No member has this e-mail as of/)).toBeVisible()
    expect(drawer.getByLabelText("First name")).toHaveValue("Ana")
  })
})
