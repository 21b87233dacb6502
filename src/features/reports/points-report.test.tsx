import { screen, waitFor, within } from "@testing-library/react"
import { beforeEach, expect, test, vi } from "vitest"
import { ana, openPage } from "../../../tests/support/open-page.tsx"

const saved = vi.hoisted(() => [] as { name: string; content: Blob }[])
vi.mock("../../lib/save-file.ts", async (original) => ({
  ...(await original<object>()),
  saveFile: (name: string, content: Blob) => saved.push({ name, content }),
}))
// jsdom has no layout: the chart's input is tested.
vi.mock("./report-chart.tsx", () => ({
  ReportChart: ({ rows, compared }: { rows: readonly unknown[]; compared: boolean }) => (
    <p>
      {rows.length} bars{compared && ", compared"}
    </p>
  ),
}))
beforeEach(() => saved.splice(0))

const table = (by: string) => screen.findByRole("table", { name: `Points by ${by}` })
const own = (requests: readonly string[]) => requests.filter((each) => each.includes("/reports/"))

test("points by month are of the whole copy, with its coverage, and cost the services nothing", async () => {
  const { requests } = await openPage("/reports/points", { copied: true })
  expect(within(await table("month")).getAllByRole("row")).toHaveLength(13)
  expect(screen.getByText(/^60 of 60 ledgers read, as of/)).toBeVisible()
  expect(await screen.findByText("12 bars")).toBeVisible()
  expect(own(requests)).toEqual(["GET /api/reports/ledgers?by=month"])
  expect(requests.filter((each) => each.includes("/program/"))).toEqual([])
})

test("all choices are in the address", async () => {
  const { router, requests, user } = await openPage(
    `/reports/points?company=${encodeURIComponent(ana.company)}`,
    { copied: true },
  )
  await user.selectOptions(await screen.findByRole("combobox", { name: "Group by" }), "By reason")
  await user.click(screen.getByRole("button", { name: "Compare with the period before" }))
  await table("reason")
  expect(router.state.location.search).toEqual({ by: "reason", compare: "before", company: ana.company })
  await waitFor(() =>
    expect(own(requests).at(-1)).toBe(
      `GET /api/reports/ledgers?by=reason&compare=before&company=${ana.company.replaceAll(" ", "+")}`,
    ),
  )
})

test("a month leads to its days", async () => {
  const { router, user } = await openPage("/reports/points?from=2026-01-01&to=2026-02-28", { copied: true })
  await user.click(within(await table("month")).getByRole("link", { name: "Feb 2026" }))
  await table("day")
  expect(router.state.location.search).toEqual({ by: "day", from: "2026-02-01", to: "2026-02-28" })
})

test("the file has every row with the period before", async () => {
  const { user } = await openPage("/reports/points?by=type&from=2026-01-01&to=2026-06-30&compare=before", {
    copied: true,
  })
  await table("type")
  await user.click(screen.getByRole("button", { name: "Download" }))
  await user.click(await screen.findByRole("button", { name: "CSV" }))
  await waitFor(() => expect(saved[0]?.name).toBe("Points by type 2026-01-01 to 2026-06-30.csv"))
  const text = (await saved[0]?.content.text()) ?? ""
  expect(text).toContain("Type,Points,Points before,Entries,Entries before")
  expect(text).toMatch(/Award,\d+,\d+,\d+,\d+/)
})

test("the printed page has figures, chart, table and coverage", async () => {
  await openPage("/reports/points?view=print", { copied: true })
  const paper = within(await screen.findByRole("article", { name: "Points" }))
  expect(paper.getAllByRole("row")).toHaveLength(13)
  expect(paper.getByText(/ledgers read, as of/)).toBeVisible()
  expect(await screen.findByRole("button", { name: "Print" })).toBeEnabled()
})

test("without a copy the report is of what was done with Laurel, or says why there is none", async () => {
  await openPage("/reports/points?by=reason")
  expect(await screen.findByText("Made with Laurel only")).toBeVisible()
  await openPage("/reports/points?by=company")
  expect(await screen.findByText("This report isn’t available")).toBeVisible()
})

test("viewers see no people: no group by person", async () => {
  await openPage("/reports/points", { copied: true, as: "viewer" })
  const groups = await screen.findByRole("combobox", { name: "Group by" })
  expect(within(groups).queryByRole("option", { name: "By person" })).toBeNull()
  expect(within(groups).getByRole("option", { name: "By company" })).toBeInTheDocument()
})

test("the overview lists reports, and fulfilment sees why it has none", async () => {
  await openPage("/reports")
  expect(await screen.findByRole("link", { name: /^Points/ })).toHaveAttribute("href", "/reports/points")
  await openPage("/reports/points", { as: "fulfilment" })
  expect(await screen.findByText("Your role can’t view reports")).toBeVisible()
})
