import { screen, within } from "@testing-library/react"
import { userEvent } from "@testing-library/user-event"
import { afterEach, expect, test, vi } from "vitest"
import { renderApp } from "../../../tests/support/test-app.tsx"
import { jobServer } from "../../../tests/support/activity/job-server.ts"
import { madeUpJob, madeUpRow } from "../../../tests/support/activity/made-up-job.ts"

const saved = vi.hoisted(() => [] as { name: string; content: Blob }[])
vi.mock("../../lib/save-file.ts", () => ({
  saveFile: (name: string, content: Blob) => saved.push({ name, content }),
}))
afterEach(() => saved.splice(0))

const rows = [
  madeUpRow(1, { input: { member_id: "mem_1", points: 750, reason: '=HYPERLINK("https://example.test")' } }),
  ...Array.from({ length: 119 }, (_, at) => madeUpRow(at + 2)),
  madeUpRow(121, {
    state: "failed",
    upstream_id: null,
    outcome: { code: "not_found", message: "Resource not found" },
  }),
]
const job = madeUpJob({ counts: { confirmed: 120, failed: 1 } })
const linesOf = async (file: { content: Blob } | undefined) =>
  (await file?.content.text())?.split("\r\n") ?? []

test("results export writes all rows page by page, with outcomes and without formulas", async () => {
  const user = userEvent.setup()
  const { requests } = renderApp("/jobs/J-1183", jobServer({ job, rows }))
  await user.click(await screen.findByRole("button", { name: "Results" }))
  const dialog = within(await screen.findByRole("dialog", { name: "Download results" }))
  await user.click(dialog.getByRole("button", { name: "Download 121 rows" }))
  expect(await dialog.findByText("121 rows were exported")).toBeVisible()
  const [file] = saved
  expect(file?.name).toBe("J-1183 Q3 installer bonus.csv")
  const lines = await linesOf(file)
  expect(lines).toHaveLength(122)
  expect(lines[0]).toMatch(/^\uFEFF?row,member_id,email,member,points,reason,reference,state,outcome_code/)
  expect(lines[1]).toContain(`"'=HYPERLINK(""https://example.test"")"`)
  expect(lines.at(-1)).toContain(
    "121,mem_121,,Member 121,750,Q3 installer bonus,,Not done,not_found,Resource not found",
  )
  expect(requests.filter((line) => line.includes("per_page=100"))).toHaveLength(2)
})

test("results export writes only failed rows on request", async () => {
  const user = userEvent.setup()
  renderApp("/jobs/J-1183?open=results", jobServer({ job, rows }))
  const dialog = within(await screen.findByRole("dialog", { name: "Download results" }))
  await user.click(dialog.getByRole("radio", { name: "Only the 1 row not done" }))
  await user.click(dialog.getByRole("button", { name: "Download 1 row" }))
  expect(await dialog.findByText("1 row was exported")).toBeVisible()
  expect(await linesOf(saved[0])).toHaveLength(2)
})

test("audit export applies the page's filters", async () => {
  const user = userEvent.setup()
  const entry = (id: string) => ({
    id,
    at: "2026-11-20T23:15:00Z",
    actor: { id: "usr_1", name: "Priya Nair", role: "manager" },
    action: "member.update",
    area: "program",
    on: { kind: "member", id: "m1", label: "=Ana" },
    outcome: "done",
    note: null,
    changes: [{ field: "company", from: null, to: "Coastal" }],
    request_id: `req-${id}`,
    source: id === "e1" ? "203.0.113.7" : null,
  })
  const { requests } = renderApp("/audit?outcome=done", {
    ...jobServer({ job, rows: [] }),
    "GET /api/audit": ({ query }) => {
      const more = query.get("before") === null && query.get("per_page") === "100"
      const data = [entry(more ? "e1" : "e2")]
      return Response.json({ success: true, data, meta: { next: more ? "e1" : null } })
    },
  })
  await user.click(await screen.findByRole("button", { name: "Export" }))
  await user.click(await screen.findByRole("button", { name: "Download these entries" }))
  expect(await screen.findByText("2 rows were exported")).toBeVisible()
  const lines = await linesOf(saved[0])
  expect(lines[1]).toContain("'=Ana")
  expect(lines[1]).toContain("company: none to Coastal")
  expect(lines[0]).toMatch(/,request_id,source_address$/)
  expect(lines[1]).toMatch(/,req-e1,203\.0\.113\.7$/)
  expect(lines[2]).toMatch(/,req-e2,$/)
  expect(requests).toContain("GET /api/audit?outcome=done&before=e1&per_page=100")
})
