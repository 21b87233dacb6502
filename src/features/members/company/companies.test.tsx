import { screen, waitFor, within } from "@testing-library/react"
import { userEvent } from "@testing-library/user-event"
import { describe, expect, test } from "vitest"
import type { Role } from "../../../../contract/roles.ts"
import { type Handlers, renderApp, sessionOf } from "../../../../tests/support/test-app.tsx"
import {
  madeUpMembers,
  membersServer,
  synced,
  syncing,
} from "../../../../tests/support/members/made-up-list.ts"

const coastal = {
  name: "Coastal Climate Co",
  members: 3,
  active: 2,
  inactive: 1,
  points: 6,
  without_points: 0,
}
const acme = { name: "Acme", members: 1, active: 1, inactive: 0, points: 40, without_points: 1 }
const names = [
  { name: "Coastal Climate Co", members: 2, merged: false },
  { name: "Coastal Climate", members: 1, merged: true },
]

function open(address: string, { role = "manager", answers = {} }: { role?: Role; answers?: Handlers } = {}) {
  const page = { page: 1, per_page: 25, total: 2 }
  return renderApp(address, {
    ...membersServer(madeUpMembers(3), role),
    "GET /api/session": () => sessionOf(role),
    "GET /api/companies": () =>
      Response.json({ success: true, data: [coastal, acme], meta: { ...page, ...synced } }),
    "GET /api/companies/Coastal%20Climate%20Co": () =>
      Response.json({ success: true, data: { ...coastal, names }, meta: synced }),
    ...answers,
  })
}

describe("the companies", () => {
  test("are listed with their members and points, and opened", async () => {
    const user = userEvent.setup()
    const { router } = open("/companies")
    const row = await screen.findByRole("row", { name: /Coastal Climate Co/ })
    expect(row).toHaveTextContent(/Coastal Climate Co.*3.*2.*1.*6/)
    expect(screen.getByText("2 companies")).toBeVisible()
    await user.click(screen.getByRole("link", { name: "Coastal Climate Co" }))
    await waitFor(() => expect(router.state.location.pathname).toBe("/companies/Coastal Climate Co"))
  })

  test("are sorted by the server, over all pages", async () => {
    const user = userEvent.setup()
    const { requests } = open("/companies?page=2")
    await user.click(await screen.findByRole("button", { name: "Points" }))
    await waitFor(() => expect(requests).toContain("GET /api/companies?sort=-points&page=1&per_page=25"))
  })

  test("say how far the sync is until every member is there", async () => {
    open("/companies", {
      answers: {
        "GET /api/companies": () =>
          Response.json({ success: true, data: [], meta: { page: 1, per_page: 25, total: 0, ...syncing } }),
      },
    })
    expect(await screen.findByText("Members are being synced")).toBeVisible()
    expect(screen.getByText(/^2,300 of 10,000 members synced/)).toBeVisible()
  })

  test("are not shown to fulfilment", async () => {
    const { requests } = open("/companies", { role: "fulfilment" })
    expect(await screen.findByText("Your role can’t view companies")).toBeVisible()
    expect(requests.join()).not.toContain("/api/companies")
  })
})

describe("a company’s page", () => {
  const address = "/companies/Coastal%20Climate%20Co"

  test("shows its totals, its members, and what can be done for all of them", async () => {
    const { requests } = open(address)
    expect(await screen.findByRole("link", { name: "Member m1" })).toBeVisible()
    expect(screen.getByRole("link", { name: "Award points" })).toHaveAttribute(
      "href",
      "/members/points-file?kind=award&company=Coastal+Climate+Co",
    )
    expect(screen.getByRole("link", { name: "Issue cards" })).toHaveAttribute(
      "href",
      "/cards/issue-file?company=Coastal+Climate+Co",
    )
    expect(requests).toContain("GET /api/members?company=Coastal+Climate+Co&page=1&per_page=25&sort=name")
  })

  test("shows what its members’ ledgers add up to, and how many are read", async () => {
    const ledgers = {
      read: 2,
      awarded: 1200,
      redeemed: 450,
      last_entry_at: "2025-03-01T12:00:00Z",
    }
    open(address, {
      answers: {
        "GET /api/companies/Coastal%20Climate%20Co": () =>
          Response.json({ success: true, data: { ...coastal, names, ledgers }, meta: synced }),
      },
    })
    expect(await screen.findByText("Ledgers of 2 of 3 members read")).toBeVisible()
    for (const [label, figure] of [
      ["Awarded", "1,200"],
      ["Redeemed", "450"],
      ["Last activity", "1 Mar 2025"],
    ])
      expect(screen.getByText(label ?? "").nextSibling).toHaveTextContent(figure ?? "")
  })

  test("merges the company with another one, and separates a merged name again", async () => {
    const user = userEvent.setup()
    const changes: unknown[] = []
    const { router } = open(address, {
      answers: {
        "PUT /api/companies/Coastal%20Climate%20Co/merge": ({ body }) => changes.push(body) && null,
        "DELETE /api/companies/Coastal%20Climate/merge": () => changes.push("separated") && null,
        "GET /api/companies/Acme": () =>
          Response.json({ success: true, data: { ...acme, names: [] }, meta: synced }),
      },
    })
    await user.click(await screen.findByRole("button", { name: "Separate Coastal Climate" }))
    expect(await screen.findByText("“Coastal Climate” is its own company again")).toBeVisible()
    await user.click(screen.getByRole("button", { name: "Merge" }))
    const panel = within(await screen.findByRole("dialog", { name: "Merge with another company" }))
    await user.click(await panel.findByRole("button", { name: "Acme" }))
    await user.click(panel.getByRole("button", { name: "Merge" }))
    await waitFor(() => expect(router.state.location.pathname).toBe("/companies/Acme"))
    expect(changes).toEqual(["separated", { into: "Acme" }])
  })

  test("shows a viewer the totals without people’s names", async () => {
    const { requests } = open(address, { role: "viewer" })
    expect(await screen.findByText(/^3 members\. Who they are/)).toBeVisible()
    expect(screen.queryByRole("button", { name: "Merge" })).not.toBeInTheDocument()
    expect(screen.queryByRole("link", { name: "Award points" })).not.toBeInTheDocument()
    expect(requests.some((line) => line.startsWith("GET /api/members"))).toBe(false)
  })
})

test("a member’s company leads to its page", async () => {
  open("/members")
  expect((await screen.findAllByRole("link", { name: "Coastal Climate Co" }))[0]).toHaveAttribute(
    "href",
    "/companies/Coastal%20Climate%20Co",
  )
})
