import { QueryClientProvider } from "@tanstack/react-query"
import { MantineProvider } from "@mantine/core"
import { render, screen } from "@testing-library/react"
import { userEvent } from "@testing-library/user-event"
import { afterEach, expect, test, vi } from "vitest"
import { makeQueryClient } from "../../../api/request.ts"
import { ExportLedger, ExportMembers } from "./export.tsx"

const saved = vi.hoisted(() => [] as { name: string; content: Blob }[])
vi.mock("../../../lib/save-file.ts", () => ({
  saveFile: (name: string, content: Blob) => saved.push({ name, content }),
}))
afterEach(() => {
  saved.splice(0)
})

const member = (at: number) => ({
  id: `mem_${at}`,
  email: `m${at}@example.test`,
  company: "=cmd",
  points_balance: at,
})
const textOf = async () => (await saved[0]?.content.text()) ?? ""

/** A server that issues a ticket and answers each page request with `page`; 401 without the ticket. */
function serve(page: (path: string) => { data: unknown[]; total: number }) {
  const sent: string[] = []
  vi.stubGlobal("fetch", (path: string, init: RequestInit) => {
    sent.push(`${init.method} ${path}`)
    if (path === "/api/exports") {
      sent.push(typeof init.body === "string" ? init.body : "")
      return Promise.resolve(Response.json({ success: true, data: { id: "exp-7" } }))
    }
    if (new Headers(init.headers).get("X-Laurel-Export") !== "exp-7") throw new Error("no ticket")
    const { data, total } = page(path)
    return Promise.resolve(Response.json({ success: true, data, meta: { total } }))
  })
  return sent
}

function show(dialog: React.ReactNode) {
  render(
    <QueryClientProvider client={makeQueryClient()}>
      <MantineProvider env="test">{dialog}</MantineProvider>
    </QueryClientProvider>,
  )
}

test("members export before the local copy is complete shows its cost, then reads every page with the ticket, formula-safe", async () => {
  const user = userEvent.setup()
  const sent = serve((path) => {
    const page = Number(new URLSearchParams(path.split("?")[1]).get("page"))
    const from = (page - 1) * 100
    return { data: Array.from({ length: page === 3 ? 14 : 100 }, (_, at) => member(from + at)), total: 214 }
  })
  show(<ExportMembers filter={{ tier: "Gold" }} copied={false} total={214} onClose={() => undefined} />)
  expect(screen.getByText(/Your team’s own work comes first/)).toBeVisible()
  await user.click(screen.getByRole("button", { name: "Export 214 members" }))
  expect(await screen.findByText("214 rows were exported")).toBeVisible()
  expect(sent[1]).toBe('{"kind":"members","filter":{"tier":"Gold"}}')
  expect(sent[2]).toBe("GET /api/program/members?tier=Gold&page=1&per_page=100")
  const lines = (await textOf()).split("\r\n")
  expect(lines).toHaveLength(215)
  expect(lines[1]).toContain('mem_0,m0@example.test,,,"\'=cmd",,0')
})

test("members export from the local copy takes no requests of the service", async () => {
  const user = userEvent.setup()
  const sent = serve(() => ({ data: Array.from({ length: 214 }, (_, at) => member(at)), total: 214 }))
  show(<ExportMembers filter={{ company: "=cmd" }} copied total={214} onClose={() => undefined} />)
  expect(screen.queryByText(/Your team’s own work comes first/)).not.toBeInTheDocument()
  await user.click(screen.getByRole("button", { name: "Export 214 members" }))
  expect(await screen.findByText("214 rows were exported")).toBeVisible()
  expect(sent).toEqual([
    "POST /api/exports",
    '{"kind":"members","filter":{"company":"=cmd"}}',
    "GET /api/members?company=%3Dcmd&page=1&per_page=1000",
  ])
})

test("members export has a column for each metadata key of any member", async () => {
  const user = userEvent.setup()
  serve((path) => {
    const first = path.includes("page=1&")
    const data = Array.from({ length: first ? 100 : 2 }, (_, at) => member(first ? at : 100 + at))
    return {
      data: first ? data : [{ ...data[0], metadata: { region: "=QLD", size: 12 } }, data[1]],
      total: 102,
    }
  })
  show(<ExportMembers filter={{}} copied={false} total={102} onClose={() => undefined} />)
  await user.click(screen.getByRole("button", { name: "Export 102 members" }))
  expect(await screen.findByText("102 rows were exported")).toBeVisible()
  const lines = (await textOf()).split("\r\n")
  expect(lines).toHaveLength(103)
  expect(lines[0]).toMatch(/,updated_at,metadata\.region,metadata\.size$/)
  expect(lines[1]).toMatch(/^mem_0,.*,,$/)
  expect(lines[101]).toMatch(/^mem_100,.*,"'=QLD",12$/)
})

test("ledger export cancelled half way writes no file", async () => {
  const user = userEvent.setup()
  const sent: string[] = []
  vi.stubGlobal("fetch", (path: string, init: RequestInit) => {
    sent.push(path)
    if (path === "/api/exports")
      return Promise.resolve(Response.json({ success: true, data: { id: "exp-7" } }))
    return new Promise<Response>((_resolve, reject) => {
      init.signal?.addEventListener("abort", () => reject(new DOMException("Aborted", "AbortError")))
    })
  })
  show(
    <ExportLedger
      memberId="mem_1"
      name="Ana Silva"
      filter={{ type: "award" }}
      copied={false}
      total={undefined}
      onClose={() => undefined}
    />,
  )
  await user.click(screen.getByRole("button", { name: "Export the ledger" }))
  await expect.poll(() => sent).toHaveLength(2)
  expect(sent[1]).toBe("/api/program/members/mem_1/transactions?type=award&page=1&per_page=100")
  await user.click(screen.getByRole("button", { name: "Cancel" }))
  expect(await screen.findByRole("button", { name: "Export the ledger" })).toBeEnabled()
  expect(saved).toEqual([])
})
