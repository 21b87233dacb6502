import { screen, waitFor, within } from "@testing-library/react"
import { userEvent } from "@testing-library/user-event"
import { describe, expect, test, vi } from "vitest"
import {
  type BookDifference,
  type BookStatement,
  closeMonthBody,
  differencesQuery,
} from "../../../contract/books.ts"
import type { Role } from "../../../contract/roles.ts"
import {
  madeUpDifferences,
  madeUpMonths,
  madeUpStatement,
  noDifferences,
} from "../../../tests/support/made-up-books.ts"
import { makeStatus } from "../../../tests/support/settings/make-status.ts"
import { type Handlers, refusal, renderApp, sessionOf } from "../../../tests/support/test-app.tsx"

const saved = vi.hoisted(() => [] as { name: string; content: Blob }[])
vi.mock("../../lib/save-file.ts", async (original) => ({
  ...(await original<object>()),
  saveFile: (name: string, content: Blob) => saved.push({ name, content }),
}))

interface Opening {
  readonly as?: Role
  readonly statement?: Partial<BookStatement>
  readonly differences?: readonly BookDifference[]
  readonly answers?: Handlers
}

function open(address: string, { as = "admin", statement = {}, differences, answers = {} }: Opening = {}) {
  const all = differences ?? madeUpDifferences
  return renderApp(address, {
    "GET /api/session": () => sessionOf(as),
    "GET /api/status/budget": () => [],
    "GET /api/books": () => madeUpMonths,
    "GET /api/books/2026-10": () => madeUpStatement(statement),
    "GET /api/books/2026-10/differences": ({ query }) => {
      differencesQuery.shape.class.parse(query.get("class") ?? undefined)
      const rows = all.filter((each) => (query.get("class") ?? each.class) === each.class)
      const meta = { page: 1, per_page: 25, total: rows.length }
      return Response.json({ success: true, data: rows, meta })
    },
    ...answers,
  })
}

describe("the books", () => {
  test("list each month with its state, coverage, closing points and unexplained differences", async () => {
    open("/books")
    const table = within(await screen.findByRole("table", { name: "Months" }))
    const [, november, october, september] = table.getAllByRole("row")
    expect(november).toHaveTextContent("November 2026Running8,200 of 10,000Not calculated")
    expect(october).toHaveTextContent("October 2026Ready to close10,000 of 10,00011,240,000")
    expect(september).toHaveTextContent(/September 2026Closed9,980 of 10,000.*01,200,000/)
    expect(screen.getByRole("link", { name: "Close October 2026" })).toHaveAttribute(
      "href",
      "/books/2026-10?open=close",
    )
  })

  test("say how many ledgers a month waits for", async () => {
    const waiting = { ...madeUpMonths[2], state: "waiting", closed_at: null }
    open("/books", { answers: { "GET /api/books": () => [waiting] } })
    expect(await screen.findByText("Waiting for 20 ledgers")).toBeVisible()
  })

  test.each([
    ["off", /SYNC=off/],
    ["memory", /SYNC_STORE=memory/],
  ] as const)("of a server whose copy is %s say what to do", async (mode, help) => {
    const copy = { mode, members: null, orders: null, rewards: null, ledgers: null }
    open("/books", {
      answers: {
        "GET /api/books": () => refusal(409, "conflict"),
        "GET /api/status": () => makeStatus({ copy }),
      },
    })
    expect(await screen.findByText("This server has no books")).toBeVisible()
    expect(screen.getByText(help)).toBeVisible()
  })

  test("are not shown to fulfilment", async () => {
    const { requests } = open("/books", { as: "fulfilment" })
    expect(await screen.findByText("Your role can’t view the books")).toBeVisible()
    expect(requests.join()).not.toContain("/api/books")
    expect(screen.queryByRole("link", { name: "Books" })).not.toBeInTheDocument()
  })
})

describe("a month", () => {
  test("shows a statement that adds up, and what it rests on", async () => {
    open("/books/2026-10")
    const facts = within(await screen.findByRole("complementary", { name: "Facts" }))
    const table = within(facts.getByRole("table", { name: "Statement" }))
    const lines = table.getAllByRole("row").map(({ textContent }) => textContent)
    expect(lines).toEqual([
      "StatementWith LaurelElsewherePoints",
      "Opening balance 1,200,000",
      "Awards 41 entries+90,000+2,500+92,500",
      "Deductions 40 entries−1,5000−1,500",
      "Redemptions 40 entries−48,0000−48,000",
      "Expiry 1 entry0−2,000−2,000",
      "Adjustments 000",
      "Brought in 1 member+500",
      "Late entries 1 entry−250",
      "Deleted 1 member−1,000",
      "Unexplained 1 difference−250",
      "Closing balance 1,240,000",
    ])
    expect(facts.getByText(/^10,000 of 10,000 members read after the month ended, from/)).toBeVisible()
    expect(screen.getAllByText("As of 2 November 2026, 10:05")[0]).toBeVisible()
    expect(document.body).not.toHaveTextContent(/audited/i)
  })

  test("lists its differences by class, with the next step of each, and the class is in the URL", async () => {
    const user = userEvent.setup()
    const { router, requests } = open("/books/2026-10")
    const list = within(await screen.findByRole("navigation", { name: "Differences" }))
    expect(list.getAllByRole("link").map(({ textContent }) => textContent)).toEqual([
      "All 8",
      "Unexplained 1",
      "Missing 1",
      "Elsewhere 2",
      "Awaiting 1",
      "Late 1",
      "Brought in 1",
      "Deleted 1",
    ])
    expect(await screen.findByRole("link", { name: "J-12, row 3" })).toHaveAttribute(
      "href",
      "/jobs/J-12?row=3",
    )
    await user.click(list.getByRole("link", { name: /^Missing/ }))
    expect(await screen.findByRole("columnheader", { name: /Job/ })).toBeVisible()
    await user.click(list.getByRole("link", { name: /^Unexplained/ }))
    await waitFor(() => expect(router.state.location.search).toMatchObject({ class: "unexplained" }))
    expect(await screen.findByText(/^The balance and the ledger disagreed/)).toBeVisible()
    expect(screen.getByRole("link", { name: "Member 1" })).toHaveAttribute("href", "/members/mem_1")
    expect(requests).toContain("GET /api/books/2026-10/differences?class=unexplained&page=1&per_page=25")
  })

  test("is checked again now", async () => {
    const user = userEvent.setup()
    const { requests } = open("/books/2026-10?class=unexplained", {
      answers: { "POST /api/books/check": () => null },
    })
    await user.click(await screen.findByRole("button", { name: "Check now" }))
    expect(await screen.findByText("Checking the books")).toBeVisible()
    expect(requests).toContain("POST /api/books/check")
  })

  test("without differences shows that every change is known", async () => {
    open("/books/2026-10", { statement: noDifferences, differences: [] })
    expect(await screen.findByText("No differences")).toBeVisible()
  })

  test("shows a viewer no names of people, and no export of them", async () => {
    const user = userEvent.setup()
    const differences = madeUpDifferences.map((each) => ({ ...each, member: null }))
    open("/books/2026-10", { as: "viewer", differences })
    expect(await screen.findByRole("table", { name: "Differences" })).toBeVisible()
    expect(screen.queryByRole("columnheader", { name: /Member/ })).not.toBeInTheDocument()
    await user.click(screen.getByRole("button", { name: "Download" }))
    expect(await screen.findByRole("button", { name: "Download statement" })).toBeVisible()
    expect(screen.queryByRole("radio", { name: "Differences" })).not.toBeInTheDocument()
  })

  test("that the books don’t have is named", async () => {
    const none = () => refusal(404, "not_found")
    open("/books/2025-01", {
      answers: { "GET /api/books/2025-01": none, "GET /api/books/2025-01/differences": none },
    })
    expect(await screen.findByText("The books have no month January 2025")).toBeVisible()
  })
})

describe("closing a month", () => {
  test("says what is fixed, and sends that every member was read", async () => {
    const user = userEvent.setup()
    const bodies: unknown[] = []
    const { router } = open("/books/2026-10?open=close", {
      answers: {
        "POST /api/books/2026-10/close": ({ body }) =>
          bodies.push(closeMonthBody.parse(body)) && madeUpStatement(),
      },
    })
    const dialog = within(await screen.findByRole("dialog", { name: "Close October 2026" }))
    expect(dialog.getByText("10,000 of 10,000")).toBeVisible()
    expect(dialog.getByText(/A closed month never changes/)).toBeVisible()
    await user.click(dialog.getByRole("button", { name: "Close October 2026" }))
    expect(await screen.findByText("October 2026 is closed")).toBeVisible()
    expect(bodies).toEqual([{ not_read: 0 }])
    expect(router.state.location.search).not.toHaveProperty("open")
  })

  test("is announced also when the page shows the closed month first", async () => {
    const user = userEvent.setup()
    const { promise, resolve } = Promise.withResolvers<void>()
    let state: BookStatement["state"] = "ready"
    const { queryClient } = open("/books/2026-10?open=close", {
      answers: {
        "GET /api/books/2026-10": () => madeUpStatement({ state }),
        "POST /api/books/2026-10/close": () => promise.then(() => madeUpStatement({ state: "closed" })),
      },
    })
    const dialog = within(await screen.findByRole("dialog", { name: "Close October 2026" }))
    await user.click(dialog.getByRole("button", { name: "Close October 2026" }))
    state = "closed"
    await queryClient.invalidateQueries({ queryKey: ["books"] })
    await waitFor(() => expect(screen.queryByRole("dialog")).not.toBeInTheDocument())
    resolve()
    expect(await screen.findByText("October 2026 is closed")).toBeVisible()
  })

  test("without every member asks to accept their number, which is sent", async () => {
    const user = userEvent.setup()
    const bodies: unknown[] = []
    const coverage = { ...madeUpStatement().coverage, read: 9980 }
    open("/books/2026-10?open=close", {
      statement: { state: "waiting", coverage },
      answers: {
        "POST /api/books/2026-10/close": ({ body }) =>
          bodies.push(closeMonthBody.parse(body)) && madeUpStatement(),
      },
    })
    const dialog = within(await screen.findByRole("dialog", { name: "Close October 2026" }))
    const action = dialog.getByRole("button", { name: "Close October 2026" })
    expect(action).toBeDisabled()
    await user.click(dialog.getByRole("checkbox", { name: "Close without 20 members" }))
    await user.click(action)
    await waitFor(() => expect(bodies).toEqual([{ not_read: 20 }]))
  })

  test("that is refused leaves the month open, in words", async () => {
    const user = userEvent.setup()
    open("/books/2026-10?open=close", {
      answers: { "POST /api/books/2026-10/close": () => refusal(409, "conflict") },
    })
    const dialog = within(await screen.findByRole("dialog", { name: "Close October 2026" }))
    await user.click(dialog.getByRole("button", { name: "Close October 2026" }))
    expect(await dialog.findByText(/Nothing was closed/)).toBeVisible()
  })

  test("comes after the months before it", async () => {
    const august = { ...madeUpMonths[2], month: "2026-08" }
    const september = { ...madeUpMonths[1], month: "2026-09" }
    open("/books/2026-10", {
      answers: { "GET /api/books": () => [madeUpMonths[0], madeUpMonths[1], september, august] },
    })
    const button = await screen.findByRole("button", { name: "Close October 2026" })
    expect(button).toHaveAttribute("aria-disabled", "true")
    await userEvent.hover(button)
    expect(await screen.findByText("Close September 2026 first")).toBeVisible()
  })

  test("the first time begins the books with any month that is over, as its dialog says", async () => {
    const [november, october] = madeUpMonths
    open("/books/2026-10", {
      answers: {
        "GET /api/books": () => [
          november,
          { ...october, month: "2026-11" },
          { ...october, month: "2026-10" },
        ],
      },
    })
    const user = userEvent.setup()
    await user.click(await screen.findByRole("link", { name: "Close October 2026" }))
    const dialog = within(await screen.findByRole("dialog", { name: "Close October 2026" }))
    expect(await dialog.findByText(/The books begin with October 2026/)).toBeVisible()
  })

  test("is not offered for a month before the books began", async () => {
    open("/books/2026-10", { statement: { state: "before" } })
    const [pill] = await screen.findAllByText("Before the books began")
    expect(pill).toBeVisible()
    expect(screen.queryByRole("link", { name: /^Close/ })).not.toBeInTheDocument()
  })

  test("requires an administrator, in words for a manager", async () => {
    open("/books/2026-10?open=close", { as: "manager" })
    expect(await screen.findByText("Closing a month requires the Administrator role")).toBeVisible()
    expect(screen.queryByRole("dialog")).not.toBeInTheDocument()
    expect(screen.getByRole("link", { name: "Close October 2026" })).toHaveAttribute("aria-disabled", "true")
  })
})

test("the statement is downloaded with its coverage", async () => {
  const user = userEvent.setup()
  open("/books/2026-10?open=export")
  await user.click(await screen.findByRole("button", { name: "Download statement" }))
  await waitFor(() => expect(saved[0]?.name).toBe("Books 2026-10.csv"))
  const text = await saved[0]?.content.text()
  expect(text).toContain("Awards,90000,2500,92500,41")
  expect(text).toContain("Closing balance,,,1240000,")
  expect(text).toContain("Differences: Unexplained,,,-250,1")
  expect(text).toContain("10,000 of 10,000 members read after the month ended")
})

test("the differences are downloaded with an entry in the audit log", async () => {
  const user = userEvent.setup()
  saved.length = 0
  const { requests } = open("/books/2026-10?open=export", {
    answers: {
      "POST /api/exports": ({ body }) => {
        expect(body).toEqual({ kind: "books", filter: { month: "2026-10" } })
        return { id: "ticket" }
      },
    },
  })
  await user.click(await screen.findByText("Differences", { selector: "label *, label" }))
  await user.click(screen.getByRole("button", { name: "Download 8 differences" }))
  await waitFor(() => expect(saved[0]?.name).toBe("Differences 2026-10.csv"))
  expect(await saved[0]?.content.text()).toContain(
    "Not in ledgers,mem_2,Member 2,200,award,Trade night,INV-1,txn_2,2026-10-12T01:00:00.000Z,J-12,3",
  )
  expect(requests).toContain("POST /api/exports")
})
