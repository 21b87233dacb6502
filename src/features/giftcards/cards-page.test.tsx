import { screen, waitFor, within } from "@testing-library/react"
import { expect, test, vi } from "vitest"
import { card, openCards } from "../../../tests/support/giftcards/open-cards.tsx"

const listed = (requests: readonly string[]) => requests.filter((line) => /GET \/api\/cards\?/.test(line))

test("register lists each card with recipient, template name, amount, reference and expiry", async () => {
  await openCards("/cards", {
    cards: [
      card("gc_1", { own_reference: "SPRINT-9" }),
      card("gc_2", {
        is_test: true,
        status: "activated",
        template: "card_other",
        member: { id: null, email: "tess@test.test", name: null, created: null },
      }),
    ],
  })
  const row = (await screen.findByRole("link", { name: "Ana Silva" })).closest("tr")
  if (row === null) throw new Error("no row")
  expect(await within(row).findByText("Trade Visa")).toBeVisible()
  for (const text of ["$100.00", "Issued", "SPRINT-9", "gc_1"])
    expect(within(row).getByText(text)).toBeVisible()
  const odd = screen.getByRole("link", { name: "tess@test.test" }).closest("tr")
  if (odd === null) throw new Error("no row")
  for (const text of ["activated", "Test", "card_other"]) expect(within(odd).getByText(text)).toBeVisible()
  expect(screen.getByText("2 in the register")).toBeVisible()
})

test("one click filters by soon to expire, soonest first, in the URL", async () => {
  const { user, router, requests } = await openCards("/cards?page=2")
  await user.click(await screen.findByRole("radio", { name: "Within 30 days" }))
  await waitFor(() => expect(router.state.location.search).toEqual({ expiring: 30, sort: "expiring" }))
  expect(listed(requests).at(-1)).toBe("GET /api/cards?expiring_days=30&sort=expiring&page=1&per_page=25")
})

test("every valid filter in the URL is sent to the server", async () => {
  const { requests } = await openCards(
    "/cards?search=ana&template=card_tradevisa&status=issued&test=no&origin=adopted&job=J-1&person=user-manager&member=mem_ana&from=2026-11-01&to=banana&expiring=-3&page=0",
  )
  await screen.findByRole("link", { name: "Ana Silva" })
  expect(listed(requests)).toEqual([
    "GET /api/cards?search=ana&template=card_tradevisa&status=issued&test=no&origin=adopted&job=J-1&person=user-manager&member=mem_ana&from=2026-10-31T14%3A00%3A00.000Z&page=1&per_page=25",
  ])
})

test("an empty register explains how cards are added", async () => {
  await openCards("/cards", { cards: [] })
  expect(await screen.findByText("No gift cards issued yet")).toBeVisible()
})

test("an empty result offers to clear the filters or to look the card up", async () => {
  const { user, router } = await openCards("/cards?search=nobody", { cards: [] })
  await screen.findByText("No cards match these filters")
  await user.click(screen.getByRole("button", { name: "Clear the filters" }))
  await waitFor(() => expect(router.state.location.search).toEqual({}))
})

test("a role without card access sees the reason, and nothing is requested", async () => {
  const { requests } = await openCards("/cards", { role: "fulfilment" })
  expect(await screen.findByText("Your role can’t view gift cards")).toBeVisible()
  expect(listed(requests)).toEqual([])
  expect(screen.queryByRole("link", { name: "Gift cards" })).not.toBeInTheDocument()
})

test("export has every page and inert formulas, and is audited before the first row", async () => {
  const saved: Blob[] = []
  vi.stubGlobal("URL", Object.assign(URL, { createObjectURL: (blob: Blob) => `blob:${saved.push(blob)}` }))
  const cards = Array.from({ length: 130 }, (_, at) =>
    card(
      `gc_${at}`,
      at === 0 ? { own_reference: "=1+1", amount_cents: 12_345, job: { id: "J-1", row: 2, line: 47 } } : {},
    ),
  )
  const bodies: unknown[] = []
  const { user, requests } = await openCards("/cards?template=card_tradevisa&open=export", {
    cards,
    handlers: {
      "POST /api/exports": ({ body }) => {
        bodies.push(body)
        return { id: "ex_1" }
      },
    },
  })
  await user.click(await screen.findByRole("button", { name: "Download 130 cards" }))
  await screen.findByText("130 rows were exported")
  expect(bodies).toEqual([{ kind: "cards", filter: { template: "card_tradevisa" } }])
  const pages = requests.slice(requests.indexOf("POST /api/exports"))
  expect(listed(pages)).toEqual([
    "GET /api/cards?template=card_tradevisa&page=1&per_page=100",
    "GET /api/cards?template=card_tradevisa&page=2&per_page=100",
  ])
  const lines = (await saved[0]?.text())?.trim().split("\r\n") ?? []
  expect(lines).toHaveLength(131)
  expect(lines[1]).toContain("'=1+1")
  expect(lines[1]).toContain("card_tradevisa,Trade Visa,123.45")
  expect(lines[1]).toContain("J-1,47,")
  expect(lines[2]).toContain("J-1,2,")
  expect(lines.join("\n")).not.toMatch(/redeem/i)
})

test("/gift-cards leads to the register", async () => {
  const { router } = await openCards("/gift-cards")
  expect(await screen.findByRole("link", { name: "Ana Silva" })).toBeVisible()
  expect(router.state.location.pathname).toBe("/cards")
})
