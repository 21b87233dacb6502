import { screen, within } from "@testing-library/react"
import { expect, test, vi } from "vitest"
import type { Role } from "../../../contract/roles.ts"
import { openPage } from "../../../tests/support/open-page.tsx"

// jsdom has no layout.
vi.mock("./report-chart.tsx", () => ({ ReportChart: () => null }))

const open = (address: string, as: Role = "manager") => openPage(address, { copied: true, as })
const rowsOf = async (name: string) => within(await screen.findByRole("table", { name })).getAllByRole("row")
const figure = async (label: string) =>
  (await screen.findByText(label, { selector: "dt" })).nextElementSibling?.textContent

test("redemptions are by reward, each a link to it", async () => {
  const { requests } = await open("/reports/rewards")
  const [, first] = await rowsOf("Redemptions by reward")
  expect(within(first ?? document.body).getByRole("link")).toHaveAttribute(
    "href",
    expect.stringMatching(/^\/rewards\/rew_/),
  )
  expect(screen.getByText(/^[\d,]+ orders, as of/)).toBeVisible()
  expect(requests.filter((each) => each.includes("/program/"))).toEqual([])
})

test("fulfilment names late orders, linked to the same ones in the list", async () => {
  const { requests } = await open("/reports/fulfilment?late_days=1")
  await rowsOf("Fulfilment by month")
  expect(requests).toContain("GET /api/reports/fulfilment?by=month&late_days=1")
  const late = await figure("Late now")
  expect(screen.getByText(/open longer than 1 day/)).toHaveTextContent(`${late} order`)
  const link = screen.getByRole("link", { name: /^Show/ })
  expect(link).toHaveAttribute("href", expect.stringMatching(/^\/orders\?status=to-ship&to=/))
})

test("member activity has every member once, and no period", async () => {
  await open("/reports/activity?by=status")
  expect(await figure("Members")).toBe("60")
  expect((await rowsOf("Member activity by status"))[0]).toHaveTextContent(
    "StatusMembersLast 30 days31 to 90 days91 to 365 daysLonger agoNeverLedger not read",
  )
  expect(screen.queryByRole("button", { name: /^Compare/ })).toBeNull()
})

test("outstanding points explain that there is no snapshot yet", async () => {
  await open("/reports/outstanding?to=2020-12-31")
  expect(await screen.findByText("No snapshots in this period")).toBeVisible()
  expect(screen.getByText(/^0 of \d+ days recorded/)).toBeVisible()
  expect(await figure("Points")).toBe("Not recorded")
})

test("gift cards are of the register, also without a copy", async () => {
  await openPage("/reports/gift-cards?by=template")
  expect(await screen.findByText("Cards of the register")).toBeVisible()
  expect(await screen.findByText("No gift cards in this period")).toBeVisible()
})

test("viewers open every report", async () => {
  await open("/reports", "viewer")
  const names = (await screen.findAllByRole("link")).map(({ textContent }) => textContent)
  for (const title of [
    "Points",
    "Outstanding points",
    "Member activity",
    "Redemptions",
    "Fulfilment",
    "Gift cards",
  ])
    expect(names.some((name) => name.startsWith(title))).toBe(true)
})
