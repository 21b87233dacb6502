import { act, screen, waitFor, within } from "@testing-library/react"
import { describe, expect, it } from "vitest"
import { award, openDrawer, send, textsOf, type Opened } from "../../../tests/support/points/award-drawer.ts"
import { openPoints } from "../../../tests/support/points/open-points.tsx"
import { fill } from "../../../tests/support/open-page.tsx"

describe("summary of several awards", () => {
  it.each([
    ["paused", ["sent", "planned"], "1 were not awarded yet. They wait for your word. 1 are being sent."],
    ["paused", ["sent", "sent"], "2 are being sent."],
    ["paused", ["unknown", "unknown"], "Checking 2"],
    ["cancelling", ["sent", "sent"], "2 are being sent."],
  ] as const)("is %s for rows %j", async (state, states, expected) => {
    const { jobs } = await openPoints("/members?act=award&outcome=J-1")
    const rows = ["mem_ana", "mem_bec"].map((member_id) => ({ member_id, points: 5, reason: "Trade night" }))
    jobs.create({ kind: "award", rows }, "key")
    const record = jobs.read("J-1")
    record.rows = record.rows.map((row, at) => ({ ...row, state: states[at] ?? "planned", attempts: 1 }))
    jobs.change("J-1", { state, pause: { code: "paused_by_person", message: "Mia paused it." } })
    await screen.findByText(state === "paused" ? "Mia paused it." : "Stopping")
    expect(screen.getByRole("dialog")).toHaveTextContent(expected)
    expect(screen.queryAllByText(/not awarded/)).toHaveLength(expected.includes("not awarded") ? 1 : 0)
  })
})

describe("outcome of an award", () => {
  it("is pending, and asks what to do when it was not sent within a minute", async () => {
    const opened = await openDrawer(award)
    await send(opened)
    const { jobs, notifyChange, user, posted } = opened
    jobs.change("J-1", { state: "paused", pause: { code: "not_sent_in_time", message: "Not sent." } })
    await notifyChange("J-1")
    expect(await screen.findByText("It wasn’t sent within a minute")).toBeVisible()
    await user.click(screen.getByRole("button", { name: "Send now" }))
    await waitFor(() => expect(posted("/api/jobs/J-1/resume")).toHaveLength(1))
    expect(await screen.findByText("This takes a moment.")).toBeVisible()
  })

  it("shows after cancelling that nothing was sent, and restores the form", async () => {
    const opened = await openDrawer(award)
    await send(opened)
    const { jobs, notifyChange, user } = opened
    jobs.change("J-1", { state: "paused", pause: { code: "not_sent_in_time", message: "Not sent." } })
    await notifyChange("J-1")
    await user.click(await screen.findByRole("button", { name: "Cancel" }))
    expect(await screen.findByText(/Nothing was sent\./)).toBeVisible()
    await user.click(screen.getByRole("button", { name: "Correct and resend" }))
    expect(await screen.findByLabelText("Reason")).toHaveValue("Trade night")
  })

  it("is unknown while being cancelled if an earlier attempt may have succeeded", async () => {
    const opened = await openDrawer(award)
    await send(opened)
    opened.jobs.change("J-1", { state: "cancelling", rows: { attempts: 2, can_edit: false } })
    await opened.notifyChange("J-1")
    expect(await screen.findByText("Outcome not known yet")).toBeVisible()
    expect(screen.queryByRole("button", { name: "Correct and resend" })).not.toBeInTheDocument()
  })

  it("is unknown, and not sent again before a lookup", async () => {
    const opened = await openDrawer(award)
    await send(opened)
    const next = new Date(Date.now() + 115_000).toISOString()
    opened.jobs.change("J-1", { rows: { state: "unknown", attempts: 1, next_look_at: next } })
    await opened.notifyChange("J-1")
    expect(await screen.findByText("Outcome not known yet")).toBeVisible()
    expect(screen.getByText(/is not sent again before that/)).toBeVisible()
    // Not announced every second.
    expect(screen.getByText(/Next lookup in 1 min/)).toHaveAttribute("aria-live", "off")
    expect(screen.queryByRole("button", { name: "Award again" })).not.toBeInTheDocument()
  })

  it("of a retried award shows only what is known: nothing was looked up", async () => {
    const opened = await openDrawer(award)
    await send(opened)
    opened.jobs.change("J-1", { rows: { state: "planned", attempts: 1 } })
    await opened.notifyChange("J-1")
    expect(await screen.findByText(/^The last attempt gave no result/)).toBeVisible()
    expect(screen.queryByText(/looked up|This takes a moment/)).not.toBeInTheDocument()
  })

  it("shows the service's refusal and what to do, and restores the form with a new key", async () => {
    const opened = await openDrawer(award)
    await send(opened)
    const { jobs, notifyChange, user, posted } = opened
    const outcome = { code: "not_found", message: "No member has the id mem_ana." }
    const alerts = textsOf(() => screen.queryByRole("alert"))
    jobs.change("J-1", { state: "done", rows: { state: "failed", attempts: 1, outcome } })
    await notifyChange("J-1")
    expect(await screen.findByText(/No member has the id mem_ana/)).toBeVisible()
    expect(alerts).toEqual([expect.stringMatching(/^Record not found at the service.*not_found$/)])
    await user.click(screen.getByRole("button", { name: "Correct and resend" }))
    expect(await screen.findByLabelText("Points")).toHaveValue("500")
    await user.click(screen.getByRole("button", { name: "Award 500 points to Ana Silva" }))
    await waitFor(() => expect(posted("/api/jobs")).toHaveLength(2))
    expect(new Set(posted("/api/jobs").map(({ key }) => key)).size).toBe(2)
  })

  it.each([
    ["other_amount", "Award the difference", "difference"],
    ["other_amount", "Award it as well", "as_well"],
    ["repeated_row", "Award it as well", "as_well"],
  ])("offers the next step for a left-out award (%s, %s)", async (code, label, correction) => {
    const opened = await openDrawer(award)
    await send(opened)
    const { jobs, notifyChange, user, posted } = opened
    const outcome = { code, message: "100 awarded in J-0 for INV-90001. Nothing was sent for this row." }
    jobs.change("J-1", { state: "done", rows: { state: "excluded", attempts: 0, outcome } })
    await notifyChange("J-1")
    expect(await screen.findByText("Nothing was awarded")).toBeVisible()
    expect(screen.getByText(outcome.message)).toBeVisible()
    expect(screen.queryAllByRole("button", { name: "Award the difference" })).toHaveLength(
      code === "other_amount" ? 1 : 0,
    )
    await user.click(screen.getByRole("button", { name: label }))
    await waitFor(() => expect(posted("/api/jobs")).toHaveLength(2))
    const [first, second] = posted("/api/jobs")
    expect(second?.body).toMatchObject({
      kind: "award",
      rows: [{ member_id: "mem_ana", points: 500, correction }],
    })
    expect(second?.key).not.toBe(first?.key)
  })

  it("links to the decision when only a person can settle it", async () => {
    const opened = await openDrawer(award)
    await send(opened)
    const outcome = { code: "several_matches", message: "Several ledger entries carry this row's mark." }
    opened.jobs.change("J-1", { attention: 1, rows: { state: "conflict", attempts: 1, outcome } })
    await opened.notifyChange("J-1")
    expect(await screen.findByRole("link", { name: "Review and decide" })).toHaveAttribute(
      "href",
      "/jobs/J-1",
    )
  })

  it("is shown again after a reload, from its URL", async () => {
    const opened = await openDrawer(award)
    await send(opened)
    const { search } = opened.router.state.location
    expect(search).toMatchObject({ act: "award", for: "mem_ana", outcome: "J-1" })
    expect(opened.router.history.length).toBe(1)
  })

  it("moves the focus to “Done” when confirmed, after the drawer's own focus handling", async () => {
    const { jobs } = await openPoints(`${award}&outcome=J-1`)
    jobs.create(
      { kind: "award", rows: [{ member_id: "mem_ana", points: 500, reason: "Trade night" }] },
      "key",
    )
    jobs.confirm("J-1", { balance_after: 12980 })
    const done = await screen.findByRole("button", { name: "Done" })
    // The focus trap set its timers when the drawer was rendered, so they run before this one.
    await act(async () => new Promise((resolve) => setTimeout(resolve)))
    expect(done).toHaveFocus()
    // It may be read long after.
    expect(screen.getByText(/points left/)).toHaveTextContent("has 12,980 points left.")
  })
})

describe("reversing one award", () => {
  const forecast = {
    rows: 1,
    members: 1,
    first_members: [],
    points: 500,
    corrected: 0,
    ledger_reason: "Correction: Trade night",
    ledger_reasons: 1,
    check_requests: 1,
    undecided: 0,
    open: true,
    why_not: null,
    checked: false,
    short: [],
  }
  const reversed = ({ jobs }: Awaited<ReturnType<typeof openPoints>>, key: string | null) => {
    const rows = [{ member_id: "mem_ana", points: 500, reason: "Trade night" }]
    jobs.create({ kind: "deduct", rows }, key)
    return jobs.change("J-2", { reverses: "J-1" })
  }

  it("from its outcome shows the effect first, and the deduction's outcome in its place", async () => {
    const opened = await openPoints(`${award}&outcome=J-1`, {
      answers: {
        "GET /api/jobs/J-1/reversal": () => forecast,
        "POST /api/jobs/J-1/reverse": ({ key, body }) => {
          expect(body).toEqual({ reason: "Wrong member" })
          return reversed(opened, key)
        },
      },
    })
    const { jobs, notifyChange, user } = opened
    const rows = [{ member_id: "mem_ana", points: 500, reason: "Trade night" }]
    jobs.create({ kind: "award", rows }, "key")
    jobs.confirm("J-1", { balance_after: 12980 })
    await user.click(await screen.findByRole("button", { name: "Reverse" }))
    expect(await screen.findByRole("textbox", { name: "Members will see" })).toHaveValue(
      "Correction: Trade night",
    )
    await fill(user, screen.getByLabelText(/^Reason/), "Wrong member")
    await user.click(screen.getByRole("button", { name: "Reverse 500 points from Ana Silva" }))
    await waitFor(() => expect(opened.router.state.location.search).toMatchObject({ outcome: "J-2" }))
    jobs.confirm("J-2", { balance_after: 12480 })
    await notifyChange("J-2")
    expect(await screen.findByText("500 points reversed from Ana Silva")).toBeVisible()
  })

  it("links to its job when refused, and is offered again with the award", async () => {
    const opened = await openPoints("/members?act=deduct&outcome=J-2")
    const { jobs, router } = opened
    jobs.create(
      { kind: "award", rows: [{ member_id: "mem_ana", points: 500, reason: "Trade night" }] },
      "key",
    )
    jobs.confirm("J-1")
    jobs.change("J-1", { reversed_by: ["J-2"] })
    reversed(opened, "other")
    const outcome = { code: "insufficient_points", message: "The member has 20 points." }
    jobs.change("J-2", { state: "done", rows: { state: "failed", attempts: 1, outcome } })
    const retry = await screen.findByRole("link", { name: "Retry in J-2" })
    expect(retry).toHaveAttribute("href", "/jobs/J-2")
    await router.navigate({ to: "/members", search: { act: "award", for: "mem_ana", outcome: "J-1" } })
    expect(await screen.findByRole("button", { name: "Reverse" })).toBeVisible()
    expect(screen.getByText("Reversal", { selector: "dt" })).toBeVisible()
  })

  it("from its notification happens once, despite repeated clicks and lost responses", async () => {
    let down = true
    const opened: Opened = await openDrawer(award, {
      "POST /api/jobs/J-1/reverse": ({ key }) => {
        const made = opened.jobs.byId.has("J-2") ? opened.jobs.read("J-2").job : reversed(opened, key)
        if (!down) return made
        down = false
        throw new TypeError("Failed to fetch")
      },
    })
    await send(opened)
    const { jobs, notifyChange, user, posted } = opened
    jobs.confirm("J-1", { balance_after: 12980 })
    await notifyChange("J-1")
    await user.dblClick(await screen.findByRole("button", { name: "Undo" }))
    expect(await screen.findByText(/^Not undone\. Can’t reach Laurel/)).toBeVisible()
    expect(posted("/api/jobs/J-1/reverse")).toHaveLength(1)
    await user.click(screen.getByRole("button", { name: "Undo" }))
    expect(await screen.findByText("Undoing…")).toBeVisible()
    expect(screen.queryByRole("button", { name: "Undo" })).not.toBeInTheDocument()
    expect(new Set(posted("/api/jobs/J-1/reverse").map(({ key }) => key)).size).toBe(1)
    jobs.confirm("J-2", { balance_after: 12480 })
    await notifyChange("J-2")
    expect(await screen.findByText("500 points reversed from Ana Silva")).toBeVisible()
    expect(screen.queryByText("500 points awarded to Ana Silva")).not.toBeInTheDocument()
    expect(screen.getByText("The balance is now 12,480.")).toBeVisible()
  })

  it("shows a refusal in the notification, which stays and links to the job", async () => {
    const opened: Opened = await openDrawer(award, {
      "POST /api/jobs/J-1/reverse": ({ key }) => reversed(opened, key),
    })
    await send(opened)
    const { jobs, notifyChange, user } = opened
    jobs.confirm("J-1")
    await notifyChange("J-1")
    await user.click(await screen.findByRole("button", { name: "Undo" }))
    await screen.findByText("Undoing…")
    const outcome = { code: "insufficient_points", message: "The member has 20 points." }
    jobs.change("J-2", { state: "done", rows: { state: "failed", attempts: 1, outcome } })
    await notifyChange("J-2")
    expect(await screen.findByText("Not done. The member has 20 points.")).toBeVisible()
    expect(screen.getByText("Reversing 500 points from Ana Silva")).toBeVisible()
    expect(screen.getByRole("link", { name: "Open the job" })).toHaveAttribute("href", "/jobs/J-2")
  })
})

describe("a drawer that is closed before the outcome", () => {
  const closed = async () => {
    const opened = await openDrawer(award)
    await send(opened)
    await opened.user.keyboard("{Escape}")
    await waitFor(() => expect(screen.queryByRole("dialog")).not.toBeInTheDocument())
    return opened
  }

  it("is followed by a notification", async () => {
    const { jobs, notifyChange } = await closed()
    jobs.confirm("J-1", { balance_after: 12980 })
    await notifyChange("J-1")
    expect(await screen.findByText("500 points awarded to Ana Silva")).toBeVisible()
    expect(screen.getByRole("button", { name: "Undo" })).toBeVisible()
  })

  it("is followed by notifications: unknown, then found", async () => {
    const { jobs, notifyChange } = await closed()
    jobs.change("J-1", { rows: { state: "unknown", attempts: 1 } })
    await notifyChange("J-1")
    expect(await screen.findByText(/^Outcome not known yet/)).toBeVisible()
    jobs.confirm("J-1", { known_by: "look" })
    await notifyChange("J-1")
    expect(await screen.findByText("500 points awarded to Ana Silva")).toBeVisible()
    expect(screen.queryByText(/^Outcome not known yet/)).not.toBeInTheDocument()
  })

  it("dismisses its notification once the drawer shows the outcome", async () => {
    const { jobs, notifyChange, router } = await closed()
    jobs.change("J-1", { rows: { state: "unknown", attempts: 1 } })
    await notifyChange("J-1")
    expect(await screen.findByText(/^Outcome not known yet\./)).toBeVisible()
    await router.navigate({ to: "/members", search: { act: "award", for: "mem_ana", outcome: "J-1" } })
    const drawer = within(await screen.findByRole("dialog"))
    expect(await drawer.findByText(/isn’t known|not known yet/i)).toBeVisible()
    await waitFor(() => expect(screen.queryByText(/^Outcome not known yet\./)).not.toBeInTheDocument())
    jobs.confirm("J-1", { known_by: "look" })
    await notifyChange("J-1")
    expect(await drawer.findByText("500 points awarded to Ana Silva")).toBeVisible()
    expect(screen.getAllByText(/500 points/)).toHaveLength(1)
  })
})

it("stays open to show an award that was found by a lookup", async () => {
  const opened = await openDrawer(award)
  await send(opened)
  opened.jobs.confirm("J-1", { known_by: "look" })
  await opened.notifyChange("J-1")
  const drawer = within(await screen.findByRole("dialog"))
  expect(await drawer.findByText("500 points awarded to Ana Silva")).toBeVisible()
  expect(drawer.getByText(/there was no usable response/)).toBeVisible()
  expect(screen.queryByRole("button", { name: "Undo" })).not.toBeInTheDocument()
})
