import { screen, waitFor, within } from "@testing-library/react"
import { describe, expect, it } from "vitest"
import { limitsOf } from "../../../tests/support/test-app.tsx"
import { balanceQuery } from "../../api/points.ts"
import {
  award,
  fillIn,
  openDrawer,
  textsOf,
  type Opened,
} from "../../../tests/support/points/award-drawer.ts"
import { openPoints, refusal } from "../../../tests/support/points/open-points.tsx"
import { fill } from "../../../tests/support/open-page.tsx"

/** Opens the drawer again, as the list's link does. */
async function again({ router }: Opened) {
  await router.navigate({ to: "/members", search: { act: "award", for: "mem_ana" } })
  await screen.findByLabelText("Points")
}

describe("awarding to one member", () => {
  it("shows effect, total and cost, and sends one row", async () => {
    const opened = await openDrawer(award)
    const { drawer, jobs, posted, notifyChange, user, router } = opened
    expect(await drawer.findByText("12,480", { selector: ".l-strong" })).toBeVisible()
    await fillIn(opened)
    expect(drawer.getByText("12,980")).toBeVisible()
    await fill(user, drawer.getByLabelText("Reference"), "INV-88307")
    await user.click(drawer.getByRole("button", { name: "Award 500 points to Ana Silva" }))

    await waitFor(() => expect(screen.getByText("Awarding 500 points to Ana Silva")).toBeVisible())
    const [sent] = posted("/api/jobs")
    expect(sent?.body).toEqual({
      kind: "award",
      rows: [{ member_id: "mem_ana", points: 500, reason: "Trade night", reference: "INV-88307" }],
    })
    expect(sent?.key).toMatch(/^[\da-f]{32}$/)

    const texts = textsOf(() => document.body)
    jobs.confirm("J-1", { balance_after: 12980 })
    await notifyChange("J-1")
    const messages = within(await screen.findByRole("status", { name: "Messages" }))
    expect(await messages.findByText("500 points awarded to Ana Silva")).toBeVisible()
    expect(messages.getByText("The balance is now 12,980.")).toBeVisible()
    expect(messages.getByRole("link", { name: "View" })).toHaveAttribute("href", "/members/mem_ana")
    await waitFor(() => expect(router.state.location.search).not.toHaveProperty("act"))
    expect(screen.queryByRole("dialog")).not.toBeInTheDocument()
    expect(texts.filter((text) => text.includes("Needs you"))).toEqual([])
    expect(sessionStorage).toHaveLength(0)
  })

  it("shows the record's balance, not one that another page read before", async () => {
    const opened = await openPoints(award)
    const before = { member_id: "mem_ana", balance: 9000, pending: 0 }
    opened.queryClient.setQueryData(balanceQuery("mem_ana").queryKey, {
      data: { ...before, lifetime_earned: 0, lifetime_redeemed: 0 },
      age: 0,
      at: 0,
      stale: false,
    })
    expect((await screen.findAllByText("12,480")).length).toBeGreaterThan(0)
    expect(screen.queryByText("9,000")).not.toBeInTheDocument()
  })

  it("warns of an inactive member: the service decides", async () => {
    const member = {
      id: "mem_ana",
      email: "ana@coastal.test",
      first_name: "Ana",
      last_name: "Silva",
      points_balance: 5,
      status: "inactive",
    }
    const meta = { page: 1, per_page: 25, total: 1 }
    const { drawer } = await openDrawer(award, {
      "GET /api/members": () => Response.json({ success: true, data: [member], meta }),
      "GET /api/program/members/mem_ana": () => member,
    })
    expect(await drawer.findByText("Ana Silva is inactive")).toBeVisible()
    expect(drawer.getByText("The service decides whether it accepts this.")).toBeVisible()
  })

  it("shows what the member will read: the reason as typed, identified by Laurel's reference", async () => {
    const opened = await openDrawer(award)
    const { drawer } = opened
    expect(drawer.queryByText(/Members will see/)).toBeNull()
    await fillIn(opened)
    expect(drawer.getByText(/Members will see/)).toHaveTextContent(/^Members will see: Trade night$/)
    expect(drawer.getByLabelText("Reference")).toHaveAttribute("placeholder", "Automatic")
  })

  it("moves from points to reason by Tab, and to the usual amounts by arrow keys", async () => {
    const { user, drawer } = await openDrawer(award)
    await user.click(drawer.getByLabelText("Points"))
    await user.keyboard("{ArrowDown}{ArrowRight}")
    expect(drawer.getByRole("button", { name: "250" })).toHaveFocus()
    await user.keyboard("{Enter}")
    expect(drawer.getByLabelText("Points")).toHaveValue("250")
    expect(drawer.getByLabelText("Points")).toHaveFocus()
    await user.tab()
    expect(drawer.getByLabelText("Reason")).toHaveFocus()
    await user.keyboard("{ArrowDown}")
    expect(drawer.getByRole("button", { name: "Q3 installer bonus" })).toHaveFocus()
    await user.keyboard("{ArrowUp}")
    expect(drawer.getByLabelText("Reason")).toHaveFocus()
  })

  it("creates one job on a double click, and uses another key for the next award", async () => {
    const opened = await openDrawer(award)
    const { user, drawer, jobs, posted, notifyChange } = opened
    await fillIn(opened)
    await user.dblClick(drawer.getByRole("button", { name: "Award 500 points to Ana Silva" }))
    await screen.findByText("Awarding 500 points to Ana Silva")
    expect(posted("/api/jobs")).toHaveLength(1)
    jobs.confirm("J-1")
    await notifyChange("J-1")
    await waitFor(() => expect(screen.queryByRole("dialog")).not.toBeInTheDocument())
    await again(opened)
    expect(screen.getByLabelText("Points")).toHaveValue("")
    await fill(user, screen.getByLabelText("Points"), "500")
    await fill(user, screen.getByLabelText("Reason"), "Trade night")
    await user.click(screen.getByRole("button", { name: "Award 500 points to Ana Silva" }))
    await waitFor(() => expect(posted("/api/jobs")).toHaveLength(2))
    const [first, second] = posted("/api/jobs")
    expect(second?.key).not.toBe(first?.key)
  })

  it("retries with the same key after no response, so that it takes effect once", async () => {
    let down = true
    const opened: Opened = await openDrawer(award, {
      "POST /api/jobs": ({ body, key }) => {
        const made = opened.jobs.create(body, key)
        if (!down) return made
        down = false
        throw new TypeError("Failed to fetch")
      },
    })
    const { user, drawer, jobs, posted } = opened
    await fillIn(opened)
    await user.click(drawer.getByRole("button", { name: "Award 500 points to Ana Silva" }))
    expect(await drawer.findByText(/It is not known whether Laurel took it/)).toBeVisible()
    expect(drawer.getByLabelText("Reason")).toHaveValue("Trade night")
    await user.click(drawer.getByRole("button", { name: "Award 500 points to Ana Silva" }))
    await waitFor(() => expect(screen.getByText("Awarding 500 points to Ana Silva")).toBeVisible())
    expect(new Set(posted("/api/jobs").map(({ key }) => key)).size).toBe(1)
    expect(jobs.byId.size).toBe(1)
  })

  it("shows that the first request had arrived before a changed one is sent", async () => {
    let down = true
    const opened: Opened = await openDrawer(award, {
      "POST /api/jobs": ({ body, key }) => {
        const made = opened.jobs.create(body, key)
        if (made === "other-body") return refusal(422, "conflict", "This key was used before.")
        if (!down) return made
        down = false
        throw new TypeError("Failed to fetch")
      },
    })
    const { user, drawer, jobs } = opened
    await fillIn(opened)
    await user.click(drawer.getByRole("button", { name: "Award 500 points to Ana Silva" }))
    await drawer.findByText(/It is not known whether Laurel took it/)
    await user.click(drawer.getByRole("button", { name: "100" }))
    await user.click(drawer.getByRole("button", { name: "Award 100 points to Ana Silva" }))
    expect(await drawer.findByText("Your earlier version was already accepted")).toBeVisible()
    expect(drawer.getByRole("link", { name: "View it in Activity" })).toHaveAttribute("href", "/jobs")
    expect(jobs.byId.size).toBe(1)
  })

  it("preserves the typed values and marks the field that the server names", async () => {
    const opened = await openDrawer(award, {
      "POST /api/jobs": () =>
        refusal(422, "validation", "Something is not right.", {
          fields: [{ field: "rows.0.reason", message: "Too long for the service." }],
        }),
    })
    await fillIn(opened)
    await opened.user.click(opened.drawer.getByRole("button", { name: "Award 500 points to Ana Silva" }))
    expect(await opened.drawer.findByText("Too long for the service.")).toBeVisible()
    expect(opened.drawer.getByLabelText("Reason")).toHaveFocus()
    expect(opened.drawer.getByLabelText("Points")).toHaveValue("500")
  })

  it("sends nothing without integer points and a reason", async () => {
    const opened = await openDrawer(award)
    const { user, drawer, posted } = opened
    await user.type(drawer.getByLabelText("Points"), "1.5")
    await user.keyboard("{Control>}{Enter}{/Control}")
    expect(await drawer.findByText("Not a whole number.")).toBeVisible()
    expect(drawer.getByText("Enter a reason.")).toBeVisible()
    expect(posted("/api/jobs")).toEqual([])
  })

  it("restores the draft when it is closed and opened again", async () => {
    const opened = await openDrawer(award)
    const { user, drawer, router } = opened
    await fillIn(opened)
    await user.click(drawer.getByRole("button", { name: "Close" }))
    await waitFor(() => expect(screen.queryByRole("dialog")).not.toBeInTheDocument())
    await router.navigate({ to: "/members", search: { act: "award", for: "mem_ana" } })
    expect(await screen.findByText("Restored your unsaved changes")).toBeVisible()
    expect(screen.getByLabelText("Points")).toHaveValue("500")
  })
})

describe("deducting", () => {
  it("shows the remaining balance and warns when it is too low", async () => {
    const { user, drawer, posted } = await openDrawer("/members?act=deduct&for=mem_bec")
    await drawer.findByText("300", { selector: ".l-strong" })
    await fill(user, drawer.getByLabelText("Points"), "500")
    await fill(user, drawer.getByLabelText("Reason"), "Returned unit")
    expect(drawer.getByText(/^Only 300 points are available\. The service decides/)).toBeVisible()
    expect(drawer.getByRole("button", { name: "Deduct 500 points from Bec Hargreaves" })).toBeEnabled()
    // Reasons of awards, and those written by reversals, are not offered here.
    const reasons = within(drawer.getByRole("list", { name: "Recent reasons" })).getAllByRole("button")
    expect(reasons.map((button) => button.textContent)).toEqual(["Returned unit"])
    await user.click(drawer.getByRole("button", { name: "All 300" }))
    await user.click(drawer.getByRole("button", { name: "Deduct 300 points from Bec Hargreaves" }))
    await waitFor(() => expect(posted("/api/jobs")).toHaveLength(1))
    expect(posted("/api/jobs")[0]?.body).toEqual({
      kind: "deduct",
      rows: [{ member_id: "mem_bec", points: 300, reason: "Returned unit" }],
    })
  })

  it("sends more than the balance: the service decides", async () => {
    const { user, drawer, posted } = await openDrawer("/members?act=deduct&for=mem_bec")
    await drawer.findByText("300", { selector: ".l-strong" })
    await fill(user, drawer.getByLabelText("Points"), "500")
    await fill(user, drawer.getByLabelText("Reason"), "Returned unit")
    await user.click(drawer.getByRole("button", { name: "Deduct 500 points from Bec Hargreaves" }))
    await waitFor(() => expect(posted("/api/jobs")).toHaveLength(1))
    expect(posted("/api/jobs")[0]?.body).toMatchObject({ rows: [{ points: 500 }] })
  })
})

describe("awarding to several", () => {
  const several = `/members?act=award&for=${encodeURIComponent('["mem_ana","mem_bec","mem_chinedu"]')}`

  it("offers bulk with its cost, sends a row for each, and shows their outcomes", async () => {
    const opened = await openDrawer(several)
    const { user, drawer, posted, jobs, notifyChange } = opened
    expect(await drawer.findByText("16,780 points in total")).toBeVisible()
    await user.click(drawer.getByRole("button", { name: "Remove Chinedu Okafor" }))
    await fillIn(opened)
    expect(drawer.getByText("Together.")).toBeVisible()
    await user.click(drawer.getByRole("button", { name: "Change how to send" }))
    expect(drawer.getByRole("radio", { name: /One at a time/ })).toBeVisible()
    await user.click(drawer.getByRole("button", { name: "Award 500 points each to 2 members" }))
    await waitFor(() => expect(posted("/api/jobs")).toHaveLength(1))
    expect(posted("/api/jobs")[0]?.body).toMatchObject({
      rows: [{ member_id: "mem_ana" }, { member_id: "mem_bec" }],
      options: { mode: "bulk" },
    })
    jobs.confirm("J-1")
    await notifyChange("J-1")
    expect(await screen.findByText("1,000 points awarded to 2 members")).toBeVisible()
  })

  it("sends single requests with a reference, with the reason", async () => {
    const opened = await openDrawer(several)
    const { user, drawer, posted } = opened
    await fillIn(opened)
    await fill(user, drawer.getByLabelText("Reference"), "INV-1")
    expect(drawer.getByText(/Keeps references/)).toBeVisible()
    await user.click(drawer.getByRole("button", { name: "Award 500 points each to 3 members" }))
    await waitFor(() => expect(posted("/api/jobs")).toHaveLength(1))
    expect(posted("/api/jobs")[0]?.body).toMatchObject({ options: { mode: "single" } })
  })
})

describe("limits on amounts", () => {
  const whoChangesIt = "An administrator can change this limit under Settings, Program."
  const press = ({ user }: Opened) => user.keyboard("{Control>}{Enter}{/Control}")

  it("are shown below the amount before sending: per row, and what is left of the day", async () => {
    let used = 700
    const opened = await openDrawer(award, {
      "GET /api/limits": () => limitsOf({ points_row: 499, points_day: 1000 }, { points: used }),
    })
    const { user, drawer, posted, jobs, notifyChange } = opened
    await fillIn(opened)
    await press(opened)
    expect(await drawer.findByText(`At most 499 points for one award. ${whoChangesIt}`)).toBeVisible()
    expect(drawer.getByLabelText("Points")).toHaveFocus()
    await user.clear(drawer.getByLabelText("Points"))
    await user.type(drawer.getByLabelText("Points"), "301")
    expect(
      await drawer.findByText(/comes to 301 points; 300 points are left of the 1,000 points/),
    ).toBeVisible()
    expect(posted("/api/jobs")).toEqual([])
    await user.click(drawer.getByRole("button", { name: "250" }))
    used += 250
    await press(opened)
    await screen.findByText("Awarding 250 points to Ana Silva")
    jobs.confirm("J-1")
    await notifyChange("J-1")
    await waitFor(() => expect(screen.queryByRole("dialog")).not.toBeInTheDocument())
    await again(opened)
    await user.type(await screen.findByLabelText("Points"), "51")
    await fill(user, screen.getByLabelText("Reason"), "Trade night")
    await press(opened)
    expect(await screen.findByText(/50 points are left of the 1,000 points/)).toBeVisible()
    expect(posted("/api/jobs")).toHaveLength(1)
  })

  it("are named instead of the largest amount, and the button offers nothing above them", async () => {
    const opened = await openDrawer(award, { "GET /api/limits": () => limitsOf({ points_row: 100_000 }) })
    const { user, drawer } = opened
    await user.type(drawer.getByLabelText("Points"), "99,999,999,999")
    expect(await drawer.findByRole("button", { name: "Award points to Ana Silva" })).toBeVisible()
    await press(opened)
    expect(await drawer.findByText(`At most 100,000 points for one award. ${whoChangesIt}`)).toBeVisible()
  })

  it("apply to the total of several members", async () => {
    const opened = await openDrawer(`/members?act=award&for=${encodeURIComponent('["mem_ana","mem_bec"]')}`, {
      "GET /api/limits": () => limitsOf({ points_job: 999 }),
    })
    await fillIn(opened)
    await press(opened)
    const refusal = `That comes to 1,000 points; the limit is 999 points a job. ${whoChangesIt}`
    expect(await opened.drawer.findByText(refusal)).toBeVisible()
    expect(opened.posted("/api/jobs")).toEqual([])
  })

  it("are left to the server while they fail to load", async () => {
    const opened = await openDrawer(award, {
      "GET /api/limits": () => refusal(503, "store_unavailable", "No."),
      "POST /api/jobs": () => refusal(422, "over_limit", "That comes to 500 points. Nothing was done."),
    })
    await fillIn(opened)
    await press(opened)
    expect(await opened.drawer.findByText(/That comes to 500 points/)).toBeVisible()
  })

  it("do not apply to a retry without a response, which may already be counted", async () => {
    let down = true
    const opened: Opened = await openDrawer(award, {
      "GET /api/limits": () => limitsOf({ points_day: 500 }, { points: down ? 0 : 500 }),
      "POST /api/jobs": ({ body, key }) => {
        const made = opened.jobs.create(body, key)
        if (!down) return made
        down = false
        throw new TypeError("Failed to fetch")
      },
    })
    await fillIn(opened)
    await press(opened)
    await opened.drawer.findByText(/It is not known whether Laurel took it/)
    await press(opened)
    await waitFor(() => expect(screen.getByText("Awarding 500 points to Ana Silva")).toBeVisible())
    expect(opened.jobs.byId.size).toBe(1)
  })
})

describe("without a member in the URL", () => {
  it("finds one by typing and keyboard", async () => {
    const { user } = await openPoints("/members?act=award")
    await user.type(await screen.findByRole("combobox", { name: "Member" }), "ana")
    const drawer = within(screen.getByRole("dialog", { name: "Award points" }))
    expect(await drawer.findByRole("option", { name: /Ana Silva/ })).toBeVisible()
    await user.keyboard("{Enter}")
    expect(await screen.findByLabelText("Points")).toHaveFocus()
  })
})

it.each(["viewer", "fulfilment"] as const)("explains to %s which role it needs", async (role) => {
  await openPoints("/members?act=award&for=mem_ana", { role })
  expect(await screen.findByText("Awarding points requires the Manager role")).toBeVisible()
  expect(screen.queryAllByText(/You can view points/)).toHaveLength(role === "viewer" ? 1 : 0)
})
