import { act, screen, waitFor } from "@testing-library/react"
import { describe, expect, it } from "vitest"
import { award, openDrawer, send, type Opened } from "../../../tests/support/points/award-drawer.ts"
import { openPoints } from "../../../tests/support/points/open-points.tsx"

describe("how an award can stand", () => {
  it("waits, and asks when it could not be sent within a minute", async () => {
    const opened = await openDrawer(award)
    await send(opened)
    const { jobs, tell, user, posted } = opened
    jobs.change("J-1", { state: "paused", pause: { code: "not_sent_in_time", message: "Not sent." } })
    await tell("J-1")
    expect(await screen.findByText("It wasn’t sent within a minute")).toBeVisible()
    await user.click(screen.getByRole("button", { name: "Send now" }))
    await waitFor(() => expect(posted("/api/jobs/J-1/resume")).toHaveLength(1))
    expect(await screen.findByText("It is being sent.")).toBeVisible()
  })

  it("says after cancelling that nothing was sent, and goes back to the form as it was", async () => {
    const opened = await openDrawer(award)
    await send(opened)
    const { jobs, tell, user } = opened
    jobs.change("J-1", { state: "paused", pause: { code: "not_sent_in_time", message: "Not sent." } })
    await tell("J-1")
    await user.click(await screen.findByRole("button", { name: "Cancel" }))
    expect(await screen.findByText(/Nothing was sent\./)).toBeVisible()
    await user.click(screen.getByRole("button", { name: "Correct and resend" }))
    expect(await screen.findByLabelText("Reason")).toHaveValue("Trade night")
  })

  it("says that it is not known, and that it is not sent again before it was looked up", async () => {
    const opened = await openDrawer(award)
    await send(opened)
    const next = new Date(Date.now() + 115_000).toISOString()
    opened.jobs.change("J-1", { rows: { state: "unknown", attempts: 1, next_look_at: next } })
    await opened.tell("J-1")
    expect(await screen.findByText("Outcome not known yet")).toBeVisible()
    expect(screen.getByText(/is not sent again before that/)).toBeVisible()
    expect(screen.getByText(/Looked up in 1 min/)).toBeVisible()
    expect(screen.queryByRole("button", { name: "Award again" })).not.toBeInTheDocument()
  })

  it("gives the service's refusal, what to do, and the form back for a new key", async () => {
    const opened = await openDrawer(award)
    await send(opened)
    const { jobs, tell, user, posted } = opened
    const outcome = { code: "not_found", message: "No member has the id mem_ana." }
    jobs.change("J-1", { state: "done", rows: { state: "failed", attempts: 1, outcome } })
    await tell("J-1")
    expect(await screen.findByText(/No member has the id mem_ana/)).toBeVisible()
    await user.click(screen.getByRole("button", { name: "Correct and resend" }))
    expect(await screen.findByLabelText("Points")).toHaveValue("500")
    await user.click(screen.getByRole("button", { name: "Award 500 points to Ana Silva" }))
    await waitFor(() => expect(posted("/api/jobs")).toHaveLength(2))
    expect(new Set(posted("/api/jobs").map(({ key }) => key)).size).toBe(2)
  })

  it("leads to the decision when only a person can tell", async () => {
    const opened = await openDrawer(award)
    await send(opened)
    const outcome = { code: "several_matches", message: "Several ledger entries carry this row's mark." }
    opened.jobs.change("J-1", { attention: 1, rows: { state: "conflict", attempts: 1, outcome } })
    await opened.tell("J-1")
    expect(await screen.findByRole("link", { name: "Review and decide" })).toHaveAttribute(
      "href",
      "/jobs/J-1",
    )
  })

  it("shows the outcome again after a reload, from its address", async () => {
    const opened = await openDrawer(award)
    await send(opened)
    const { search } = opened.router.state.location
    expect(search).toMatchObject({ act: "award", for: "mem_ana", outcome: "J-1" })
    expect(opened.router.history.length).toBe(1)
  })

  it("begins at “Done” when it is confirmed, and stays there after the drawer has set its own focus", async () => {
    const { jobs } = openPoints(`${award}&outcome=J-1`)
    jobs.create(
      { kind: "award", rows: [{ member_id: "mem_ana", points: 500, reason: "Trade night" }] },
      "key",
    )
    jobs.confirm("J-1", { balance_after: 12980 })
    const done = await screen.findByRole("button", { name: "Done" })
    // The focus trap's timers were set when the drawer was drawn: they have run before one that is set now.
    await act(async () => new Promise((resolve) => setTimeout(resolve)))
    expect(done).toHaveFocus()
  })
})

describe("taking one award back", () => {
  it("says the effect before, and shows the deduction's outcome in its place", async () => {
    const opened: Opened = await openDrawer(award, {
      "GET /api/jobs/J-1/reversal": () => ({
        rows: 1,
        members: 1,
        points: 500,
        ledger_reason: "Reversal of J-1: Trade night",
        ledger_reasons: 1,
        check_requests: 1,
        undecided: 0,
        open: true,
        why_not: null,
        checked: false,
        short: [],
      }),
      "POST /api/jobs/J-1/reverse": ({ key, body }) => {
        expect(body).toEqual({ reason: "Wrong member" })
        const rows = [{ member_id: "mem_ana", points: 500, reason: "Trade night" }]
        opened.jobs.create({ kind: "deduct", rows }, key)
        return opened.jobs.change("J-2", { reverses: "J-1" })
      },
    })
    await send(opened)
    const { jobs, tell, user } = opened
    jobs.confirm("J-1", { balance_after: 12980 })
    await tell("J-1")
    await user.click(await screen.findByRole("button", { name: "Reverse" }))
    expect(await screen.findByText(/Members will see/)).toHaveTextContent(
      /^Members will see: Reversal of J-1: Trade night · batch \+ a 5-character code/,
    )
    expect(screen.getByText(/1 request, about 1 s/)).toBeVisible()
    await user.type(screen.getByLabelText(/^Reason/), "Wrong member")
    await user.click(screen.getByRole("button", { name: "Reverse 500 points from Ana Silva" }))
    await waitFor(() => expect(opened.router.state.location.search).toMatchObject({ outcome: "J-2" }))
    jobs.confirm("J-2", { balance_after: 12480 })
    await tell("J-2")
    expect(await screen.findByText("500 points reversed from Ana Silva")).toBeVisible()
  })
})
