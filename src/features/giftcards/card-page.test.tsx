import { screen, within } from "@testing-library/react"
import { expect, test } from "vitest"
import { refusal } from "../../../tests/support/test-app.tsx"
import { madeUpRow } from "../../../tests/support/activity/made-up-job.ts"
import { card, openCards } from "../../../tests/support/giftcards/open-cards.tsx"

const revealed = {
  id: "a1",
  at: "2026-11-21T00:10:00Z",
  actor: { id: "user-manager", name: "Priya Nair", role: "manager" },
  action: "card.reveal",
  area: "program",
  on: { kind: "card", id: "gc_1", label: "Ana Silva" },
  outcome: "done",
  note: "It never arrived",
  changes: [],
  request_id: "r-1",
}

test("card page shows facts, links to member and job, and history", async () => {
  await openCards("/cards/gc_1", {
    cards: [
      card("gc_1", {
        own_reference: "SPRINT-9",
        message: "Gift card issued",
        replayed: true,
        looked_up_at: "2026-11-21T00:05:00Z",
        member: { id: "mem_ana", email: "ana@coastal.test", name: "Ana Silva", created: true },
      }),
    ],
    handlers: {
      "GET /api/audit": () => [revealed],
      "GET /api/jobs/J-1/rows": () => [madeUpRow(2, { line: 5 })],
    },
  })
  expect(await screen.findByRole("heading", { level: 1, name: "Ana Silva" })).toBeVisible()
  const facts = within(screen.getByRole("complementary", { name: "Facts" }))
  expect(facts.getByRole("link", { name: "Ana Silva" })).toHaveAttribute("href", "/members/mem_ana")
  // By its row number in the file.
  expect(await facts.findByRole("link", { name: "J-1, row 5" })).toHaveAttribute("href", "/jobs/J-1")
  for (const text of ["gc_1", "7K2Q.2", "SPRINT-9", "Live card", "Gift card issued"])
    expect(facts.getByText(text)).toBeVisible()
  const history = within(screen.getByRole("region", { name: "History" }))
  expect(await history.findByText("Reason: It never arrived")).toBeVisible()
  const items = history.getAllByRole("listitem").map((item) => item.textContent)
  expect(items).toHaveLength(3)
  expect(items[0]).toContain("Priya Nair revealed the link")
  expect(items[1]).toContain("Looked up at the service")
  expect(items[2]).toMatch(/Issued by Priya Nair.*replay.*pending member was created/s)
})

test("a refetch shows the card's current state at the service", async () => {
  let known = card("gc_1")
  const { user } = await openCards("/cards/gc_1", {
    handlers: {
      "GET /api/cards/gc_1": () => known,
      "POST /api/cards/gc_1/look-up": () => {
        known = { ...known, status: "redeemed", looked_up_at: new Date().toISOString() }
        return known
      },
    },
  })
  await user.click(await screen.findByRole("button", { name: "Look up now" }))
  expect(await screen.findByText("redeemed")).toBeVisible()
  expect(await screen.findByText("Its status was “redeemed”.")).toBeVisible()
})

test("an expired card shows Expired, and can be issued again", async () => {
  await openCards("/cards/gc_1", {
    cards: [
      card("gc_1", {
        expires_at: "2026-01-05T00:00:00Z",
        member: { id: null, email: "ana@coastal.test", name: "Ana Silva", created: null },
      }),
    ],
  })
  await screen.findByRole("heading", { level: 1, name: "Ana Silva" })
  // The status pill and the value.
  expect(screen.getAllByText("Expired")).toHaveLength(2)
  expect(screen.getByText(/Delivery isn’t reported/)).toBeVisible()
  expect(screen.getByRole("link", { name: "Issue again" })).toHaveAttribute("href", "/cards/issue?again=gc_1")
})

test("a card missing in the register is offered for lookup", async () => {
  await openCards("/cards/gc_9", { handlers: { "GET /api/cards/gc_9": () => refusal(404, "not_found") } })
  expect(await screen.findByText("No card in the register has the id gc_9")).toBeVisible()
  expect(screen.getByRole("link", { name: "Look it up" })).toHaveAttribute(
    "href",
    "/cards?open=look-up&find=gc_9",
  )
})

test("a role without the audit log sees that reveals are missing, and does not request them", async () => {
  const { requests } = await openCards("/cards/gc_1", { role: "viewer" })
  expect(await screen.findByText(/Your role can’t view the audit log/)).toBeVisible()
  expect(requests.filter((line) => line.includes("/audit"))).toEqual([])
})

test("an unexpected card shows a prominent warning", async () => {
  await openCards("/cards/gc_1", { cards: [card("gc_1", { origin: "unexpected" })] })
  expect(await screen.findByText("The service issued this card unexpectedly")).toBeVisible()
})
