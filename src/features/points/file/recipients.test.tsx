import { screen, waitFor, within } from "@testing-library/react"
import { beforeEach, describe, expect, it, vi } from "vitest"
import { awardRow } from "../../../../contract/kinds/points.ts"
import { addRowsBody } from "../../../../contract/job.ts"
import { listViews } from "../../../../contract/views.ts"
import { sessionOf } from "../../../../tests/support/test-app.tsx"
import { openPoints, refusal, type Answers } from "../../../../tests/support/points/open-points.tsx"

const views = listViews.parse({
  all: [
    {
      id: "v1",
      list: "members",
      name: "Gold in Queensland",
      shared: true,
      search: { tier: "Gold" },
      columns: { shown: {}, order: [], widths: {} },
      by: { id: "usr_ann", name: "Ann" },
    },
  ],
  defaults: {},
})

/** A response with the members of the view as of three minutes ago. */
function recipients(members: readonly object[]) {
  const synced_at = new Date(Date.now() - 3 * 60_000 - 5000).toISOString()
  const meta = { complete: true, synced_at, syncing: false, synced: null }
  return Response.json({ success: true, data: { name: "Gold in Queensland", members }, meta })
}

const ana = { id: "mem_ana", first_name: "Ana", last_name: "Silva", email: "ana@coastal.test" }
const bec = { id: "mem_bec", first_name: "Bec", last_name: "Hargreaves", email: "bec@coastal.test" }

function open(address: string, answers: Answers = {}) {
  return openPoints(address, {
    rateLimit: 60,
    answers: {
      "GET /api/session": () => ({ ...sessionOf("manager"), views }),
      "GET /api/members/recipients": () =>
        recipients([
          { ...ana, status: "active" },
          { ...bec, status: "inactive" },
        ]),
      ...answers,
    },
  })
}

describe("points for a saved view", () => {
  beforeEach(() => {
    // jsdom has no layout, so no row would be visible.
    vi.spyOn(Element.prototype, "clientHeight", "get").mockReturnValue(600)
    vi.spyOn(HTMLElement.prototype, "offsetHeight", "get").mockReturnValue(40)
  })

  it("go to the members who are listed, with their number and when they were synced", async () => {
    const { user, posted, router } = await open("/members/points-file?kind=award")
    const choice = await screen.findByRole("combobox", { name: /everyone in a saved view/ })
    await user.selectOptions(choice, "Gold in Queensland")
    expect(await screen.findByText(/^2 members of “Gold in Queensland”, synced \d min ago$/)).toBeVisible()
    expect(router.state.location.searchStr).toBe("?kind=award&view=v1")
    await user.type(await screen.findByRole("textbox", { name: /^Points/ }), "500")
    await user.tab()
    await user.type(screen.getByRole("textbox", { name: /^Reason/ }), "Trade night")
    await user.tab()
    const panel = within(await screen.findByRole("complementary", { name: "What will happen" }))
    // The inactive member waits for a decision, as in a file.
    const award = await panel.findByRole("button", { name: "Award 500 points to 1 member" })
    await waitFor(() => expect(award).toBeEnabled())
    expect(await screen.findByText("This member is inactive")).toBeInTheDocument()
    await user.click(award)
    await waitFor(() => expect(router.state.location.pathname).toMatch(/^\/jobs\//))
    const added = posted("/api/jobs/J-1/rows").map(({ body }) => addRowsBody.parse(body).rows)
    expect(added.flat().map((row) => awardRow.parse(row))).toMatchObject([
      { member_id: "mem_ana", points: 500, reason: "Trade night" },
    ])
  })

  it("are not offered with a reason why while members are being synced", async () => {
    const message = "Recipients can be chosen once all members are synced. Nothing was read."
    await open("/members/points-file?kind=award&view=v1", {
      "GET /api/members/recipients": () => refusal(409, "not_synced", message),
    })
    expect(await screen.findByText("Recipients can be chosen once all members are synced")).toBeVisible()
    expect(screen.getByText(/Nothing was read\./)).toBeVisible()
    expect(screen.getByRole("button", { name: "Choose a file" })).toBeVisible()
  })

  it("name a view without members", async () => {
    await open("/members/points-file?kind=award&view=v1", {
      "GET /api/members/recipients": () => recipients([]),
    })
    expect(await screen.findByText("No member matches “Gold in Queensland”")).toBeVisible()
  })
})

it("gift cards go to the members of a saved view, by e-mail and name", async () => {
  await open("/cards/issue-file?view=v1")
  expect(await screen.findByText(/^2 members of “Gold in Queensland”, synced \d min ago$/)).toBeVisible()
  const grid = await screen.findByRole("grid", { name: "Cards to issue" })
  for (const name of ["E-mail", "First name", "Last name"])
    expect(within(grid).getByRole("columnheader", { name: new RegExp(name) })).toBeVisible()
})
