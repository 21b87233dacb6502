import { screen, waitFor, within } from "@testing-library/react"
import { userEvent } from "@testing-library/user-event"
import { beforeEach, expect, test, vi } from "vitest"
import type { MatchReport } from "../../../contract/books.ts"
import { type Handlers, refusal, renderApp, sessionOf } from "../../../tests/support/test-app.tsx"

const saved = vi.hoisted(() => [] as { name: string; content: Blob }[])
vi.mock("../../lib/save-file.ts", async (original) => ({
  ...(await original<object>()),
  saveFile: (name: string, content: Blob) => saved.push({ name, content }),
}))

beforeEach(() => {
  // A window of 600 px with rows of 40: jsdom has no layout, so no row would be visible.
  vi.spyOn(Element.prototype, "clientHeight", "get").mockReturnValue(600)
  vi.spyOn(HTMLElement.prototype, "offsetHeight", "get").mockReturnValue(40)
})

const entry = (changes: object) => ({
  transaction_id: "txn_1",
  member_id: "mem_1",
  points: 500,
  at: "2026-10-05T01:00:00.000Z",
  reason: "Trade night",
  reference: "INV-1",
  ...changes,
})

const report: MatchReport = {
  rows: [
    { result: "matched", entry: entry({}) },
    { result: "near", entry: entry({ points: 90 }) },
    { result: "not-in-ledgers", entry: null },
  ],
  not_in_file: { points: -300, entries: 2 },
}

const file = [
  "Document,Amount,Posting date",
  "INV-1,500,05/10/2026",
  "INV-2,-80,10/12/2026",
  "INV-3,40,31/10/2026",
]

async function openFile(answers: Handlers, lines = file) {
  const user = userEvent.setup()
  const opened = renderApp("/books/2026-10/match", {
    "GET /api/session": () => sessionOf("manager"),
    "GET /api/status/budget": () => [],
    ...answers,
  })
  await screen.findByRole("button", { name: "Choose a file" })
  const input = document.querySelector<HTMLInputElement>("input[type=file]")
  if (input === null) throw new Error("There is no field for a file.")
  await user.upload(input, new File([lines.join("\n")], "finance.csv", { type: "text/csv" }))
  const panel = within(await screen.findByRole("complementary", { name: "What will happen" }))
  const action = await panel.findByRole("button", { name: /^Match \d+ rows$/ })
  await waitFor(() => expect(action).toBeEnabled())
  return { ...opened, user, panel, action }
}

test("a finance file is compared by its own columns, with dates of the month and signed points", async () => {
  const bodies: unknown[] = []
  const { user, panel, action } = await openFile({
    "POST /api/books/2026-10/match": ({ body }) => bodies.push(body) && report,
  })
  await user.click(action)
  expect(await panel.findByText("2 entries, −300")).toBeVisible()
  expect(bodies).toEqual([
    {
      rows: [
        { reference: "INV-1", points: 500, day: "2026-10-05" },
        { reference: "INV-2", points: -80, day: "2026-10-12" },
        { reference: "INV-3", points: 40, day: "2026-10-31" },
      ],
    },
  ])
  expect(screen.getByRole("table", { name: "Not in ledgers" })).toHaveTextContent("INV-3+402026-10-31")
  await user.click(screen.getByText("Similar", { selector: "label *" }))
  expect(await screen.findByRole("table", { name: "Similar" })).toHaveTextContent(/INV-2−80.*\+90/)
})

test("what didn’t match is downloaded with the closest entry", async () => {
  const { user, panel, action } = await openFile({ "POST /api/books/2026-10/match": () => report })
  await user.click(action)
  await user.click(await panel.findByRole("button", { name: "Download 2 rows that didn’t match" }))
  await waitFor(() => expect(saved[0]?.name).toBe("Not matched 2026-10.csv"))
  const lines = (await saved[0]?.content.text())?.split("\r\n")
  expect(lines?.slice(1)).toEqual([
    "3,Similar,INV-2,,-80,2026-10-12,txn_1,90,2026-10-05T01:00:00.000Z,Trade night",
    "4,Not in ledgers,INV-3,,40,2026-10-31,,,,",
  ])
})

test("a refused comparison leaves the file open", async () => {
  const { user, panel, action } = await openFile({
    "POST /api/books/2026-10/match": () => refusal(413, "body_too_large"),
  })
  await user.click(action)
  expect(await panel.findByText(/^The file wasn’t compared\./)).toBeVisible()
  expect(panel.getByRole("button", { name: "Match 3 rows" })).toBeEnabled()
})
