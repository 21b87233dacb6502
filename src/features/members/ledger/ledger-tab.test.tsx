import { screen, waitFor, within } from "@testing-library/react"
import { describe, expect, it, vi } from "vitest"
import { transactionListReader } from "../../../../contract/program/points.ts"
import { jobView } from "../../../../tests/support/job-views.ts"
import type { Role } from "../../../../contract/roles.ts"
import { ana, openPage } from "../../../../tests/support/open-page.tsx"
import type { Handlers } from "../../../../tests/support/test-app.tsx"

// jsdom has no layout, so the chart is replaced; only its input is tested.
vi.mock("./balance-chart.tsx", () => ({
  BalanceChart: ({ steps }: { steps: readonly unknown[] }) => <p>Chart of {steps.length} steps</p>,
}))

const page = `/members/${ana.id}`
const ledger = "GET /api/transactions"
const synced = { complete: true, synced_at: "2026-11-20T10:00:00.000Z", syncing: false, synced: null }

/** A page of rows as the service returns it. */
const rowsPage = (data: unknown, total: number, page = 1, per_page = 25, state = {}) =>
  Response.json({ success: true, data, meta: { page, per_page, total, ...state } })

/** `count` rows, newest first, each a day older with 10 points less. */
function ledgerRows(count: number) {
  return Array.from({ length: count }, (_, index) => ({
    transaction_id: `txn_${index}`,
    member_id: ana.id,
    type: index % 2 === 0 ? "award" : "redeem",
    points: 10,
    reason: `Row ${index}`,
    balance_after: 12480 - index * 10,
    created_at: new Date(Date.now() - (index + 1) * 86_400_000).toISOString(),
  }))
}

/** Ana's page with rows of a test. */
async function openLedger(search = "", answers: Handlers = {}, as: Role = "admin") {
  const rows = { [ledger]: () => rowsPage(ledgerRows(2), 2) }
  const opened = await openPage(`${page}${search}`, { as, answers: { ...rows, ...answers } })
  const queries = () =>
    opened.requests
      .filter((line) => line.startsWith(`${ledger}?`))
      .map((line) => Object.fromEntries(new URLSearchParams(line.slice(ledger.length + 1))))
      .map(({ member_id, ...query }) => {
        expect(member_id).toBe(ana.id)
        return query
      })
  return { ...opened, queries }
}

/** A ledger with 143 rows, page by page; `state`: of the local copy. */
function longLedger(state = {}): Handlers {
  const rows = ledgerRows(143)
  return {
    [ledger]: ({ query }) => {
      const [at, perPage] = [Number(query.get("page")), Number(query.get("per_page"))]
      return rowsPage(rows.slice((at - 1) * perPage, at * perPage), rows.length, at, perPage, state)
    },
  }
}

describe("ledger search params", () => {
  it("fall back when invalid, and are preserved when valid", async () => {
    const { queries } = await openLedger(
      "?type=banana&from=2026-02-30&to=2026-11-20&page=-2&per_page=7&behind=%7B%7D",
    )
    expect(await screen.findByRole("button", { name: /Date.*Until 20 Nov 2026/ })).toBeVisible()
    expect(queries()).toEqual([{ page: "1", per_page: "25", to: "2026-11-20T13:59:59.999Z" }])
  })

  it("ignore a reversed range of days", async () => {
    const { queries } = await openLedger("?from=2026-11-20&to=2026-11-01")
    expect(await screen.findByRole("button", { name: "Date" })).toBeVisible()
    expect(queries()).toEqual([{ page: "1", per_page: "25" }])
  })

  it("take a type, start at the first page, and leave out defaults", async () => {
    const { user, router, queries } = await openLedger("?page=3", longLedger())
    await screen.findByRole("button", { name: "Row 50" })
    await user.click(screen.getByRole("radio", { name: "Redeem" }))
    await waitFor(() => expect(router.state.location.href).toBe(`${page}?type=redeem`))
    expect(queries().at(-1)).toEqual({ page: "1", per_page: "25", type: "redeem" })
  })

  it("take days of the program's time zone, both inclusive, and are sent in order", async () => {
    const { user, router, queries } = await openLedger()
    await user.click(await screen.findByRole("button", { name: "Date" }))
    await user.type(await screen.findByLabelText("From"), "2026-11-05")
    await user.type(screen.getByLabelText("To"), "2026-11-01")
    await user.click(screen.getByRole("button", { name: "Show these days" }))
    expect(screen.getByLabelText("To")).toBeInvalid()
    expect(router.state.location.href).toBe(page)

    await user.clear(screen.getByLabelText("To"))
    await user.type(screen.getByLabelText("To"), "2026-11-06")
    await user.click(screen.getByRole("button", { name: "Show these days" }))
    await waitFor(() =>
      expect(router.state.location.search).toMatchObject({ from: "2026-11-05", to: "2026-11-06" }),
    )
    expect(queries().at(-1)).toMatchObject({
      from: "2026-11-04T14:00:00.000Z",
      to: "2026-11-06T13:59:59.999Z",
    })
  })
})

it("balance panel never says that the filters leave out entries while the list loads", async () => {
  const texts: string[] = []
  const observer = new MutationObserver(() => texts.push(document.body.textContent))
  observer.observe(document.body, { subtree: true, childList: true, characterData: true })
  await openLedger("", longLedger())
  await screen.findByRole("button", { name: "Row 1" })
  observer.disconnect()
  expect(texts.filter((text) => text.includes("leave out"))).toEqual([])
})

describe("times of day in the ledger's filter", () => {
  it("are optional, asked for as moments, and part of the address and of the filter's label", async () => {
    const { user, router, queries } = await openLedger()
    await user.click(await screen.findByRole("button", { name: "Date" }))
    await user.type(await screen.findByLabelText("From time (optional)"), "09:30")
    await user.click(screen.getByRole("button", { name: "Show these days" }))
    expect(screen.getByLabelText("From")).toBeInvalid()
    await user.type(screen.getByLabelText("From"), "2026-11-05")
    await user.type(screen.getByLabelText("To"), "2026-11-05")
    await user.type(screen.getByLabelText("To time (optional)"), "09:15")
    await user.click(screen.getByRole("button", { name: "Show these days" }))
    expect(screen.getByText("Choose a time on or after the first one.")).toBeVisible()
    expect(router.state.location.href).toBe(page)

    await user.clear(screen.getByLabelText("To time (optional)"))
    await user.type(screen.getByLabelText("To time (optional)"), "11:00{Enter}")
    expect(await screen.findByRole("button", { name: /Date.*5 Nov 2026, 09:30 to 11:00/ })).toBeVisible()
    expect(router.state.location.search).toMatchObject({ from: "2026-11-05T09:30", to: "2026-11-05T11:00" })
    expect(queries().at(-1)).toMatchObject({
      from: "2026-11-04T23:30:00.000Z",
      to: "2026-11-05T01:00:59.999Z",
    })
  })

  it("that make no sense are dropped from the address", async () => {
    const { queries } = await openLedger("?from=2026-11-05T25:00&to=2026-11-20T14:05")
    expect(await screen.findByRole("button", { name: /Date.*Until 20 Nov 2026, 14:05/ })).toBeVisible()
    expect(queries()).toEqual([{ page: "1", per_page: "25", to: "2026-11-20T04:05:59.999Z" }])
  })
})

describe("ledger rows", () => {
  it("show signed points, and both balances where the service gives two", async () => {
    const rows = [
      { transaction_id: "t1", type: "award", points: 1250, reason: "Bonus", balance_after: 12480 },
      { transaction_id: "t2", type: "voodoo", points: -300, reason: "", balance_after: 90, new_balance: 91 },
    ]
    await openLedger("", { [ledger]: () => rowsPage(rows, 2) })
    const table = within(await screen.findByRole("table", { name: "Ledger" }))
    expect(await table.findByText("+1,250")).toBeInTheDocument()
    expect(table.getByText("−300")).toBeInTheDocument()
    expect(table.getAllByText("voodoo")).not.toHaveLength(0)
    expect(table.getAllByText("90 or 91")).not.toHaveLength(0)
  })

  it("expand to all other fields", async () => {
    const row = { ...ledgerRows(1)[0], metadata: { units: 4 }, branch: "Noosa" }
    const { user } = await openLedger("", { [ledger]: () => rowsPage([row], 1) })
    await user.click(await screen.findByRole("button", { name: "Row 0" }))
    expect(await screen.findByText("units")).toBeVisible()
    expect(screen.getByText("Noosa")).toBeVisible()
    expect(screen.getByRole("button", { name: /txn_0/ })).toBeVisible()
  })

  it("that match no filter show the filters in use, which can be cleared", async () => {
    const { user, router } = await openLedger("?type=expire&from=2026-01-01", {
      [ledger]: () => rowsPage([], 0),
    })
    expect(await screen.findByText("Filters: type Expire, Since 1 Jan 2026.")).toBeVisible()
    await user.click(screen.getByRole("button", { name: "Clear the filters" }))
    await waitFor(() => expect(router.state.location.href).toBe(page))
  })
})

describe("running balance", () => {
  it("is drawn from the loaded rows without requests", async () => {
    const { queries } = await openLedger("", longLedger())
    expect(await screen.findByText(/Last 25 entries/)).toBeVisible()
    expect(queries()).toHaveLength(1)
  })

  it("covers every row when the local copy has them", async () => {
    const { queries } = await openLedger("", longLedger(synced))
    expect(await screen.findByText(/All 143 entries/)).toBeVisible()
    expect(screen.getByText(/to 12,480 as of .+, lowest 11,060, highest 12,480/)).toBeVisible()
    expect(queries().slice(1)).toEqual([{ page: "1", per_page: "1000" }])
  })

  it("spans the days of the filter, and ends with the last of them", async () => {
    const rows = ledgerRows(3).map((row, at) => ({ ...row, created_at: `2026-11-0${6 - at * 2}T02:00:00Z` }))
    const { queries } = await openLedger("?from=2026-11-01&to=2026-11-07", {
      [ledger]: () => rowsPage(rows, 3),
    })
    expect(await screen.findByText(/^From 12,460 on 2 Nov.* to 12,480 on 7 Nov.*All 3 entries/)).toBeVisible()
    expect(await screen.findByText("Chart of 4 steps")).toBeVisible()
    expect(queries()).toHaveLength(1)
  })

  it("covers the filtered days and no more", async () => {
    const { queries } = await openLedger("?from=2020-01-01", longLedger(synced))
    expect(await screen.findByText(/All 143 entries/)).toBeVisible()
    expect(queries().slice(1)).toEqual([{ page: "1", per_page: "1000", from: "2019-12-31T14:00:00.000Z" }])
  })

  it("covers as many rows as one request has while the local copy lacks an entry", async () => {
    let isCopied = true
    const rows = ledgerRows(143)
    const { queries } = await openLedger("", {
      [ledger]: ({ query }) => {
        const perPage = Number(query.get("per_page"))
        // An award came in after the list was read.
        const state = isCopied && perPage === 25 ? synced : {}
        isCopied = false
        return rowsPage(rows.slice(0, Math.min(perPage, 100)), rows.length, 1, perPage, state)
      },
    })
    expect(await screen.findByText(/Last 100 entries/)).toBeVisible()
    expect(queries()).toHaveLength(2)
  })

  it("explains that filters leave its rows out until the local copy has them", async () => {
    const { queries } = await openLedger("?type=award", longLedger())
    expect(await screen.findByText("The filters leave out the newest entries.")).toBeVisible()
    expect(queries()).toHaveLength(1)
  })
})

describe("a ledger in the local copy", () => {
  it("is searched, and sorted by a column", async () => {
    const { user, router, queries } = await openLedger("?page=2", longLedger(synced))
    await user.click(await screen.findByRole("button", { name: "Points" }))
    await waitFor(() => expect(queries().at(-1)).toEqual({ page: "1", per_page: "25", sort: "points" }))
    await user.type(screen.getByRole("textbox", { name: "Search: Reason, reference or id" }), "row 7")
    await waitFor(() =>
      expect(router.state.location.search).toMatchObject({ search: "row 7", sort: "points" }),
    )
    expect(queries().at(-1)).toMatchObject({ search: "row 7" })
  })

  it("is neither searched nor sorted before", async () => {
    await openLedger("", longLedger())
    await screen.findByRole("button", { name: "Row 0" })
    expect(screen.queryByRole("textbox")).not.toBeInTheDocument()
    expect(screen.queryByRole("button", { name: "Points" })).not.toBeInTheDocument()
  })
})

it("shows a row with damaged fields as received, without affecting other rows", async () => {
  const [one, two, three, intact] = ledgerRows(4)
  const shown = transactionListReader.show([
    { ...one, points: "ten", reference: 555 },
    { ...two, balance_after: "x", created_at: 7, type: 5 },
    { ...three, transaction_id: 3, reason: { a: 1 } },
    intact,
  ])
  if (!shown.ok) throw new Error(shown.reason)
  await openLedger("", { [ledger]: () => rowsPage(shown.value, 4) })
  const rowOf = async (reason: string) =>
    within((await screen.findByRole("button", { name: reason })).closest("tr") ?? document.body)
  for (const text of ["ten", "555"]) expect((await rowOf("Row 0")).getByText(text)).toBeVisible()
  for (const text of ["x", "7", "5"])
    expect((await rowOf("Row 1")).getAllByText(text).length).toBeGreaterThan(0)
  expect((await rowOf('{"a":1}')).getAllByText("12,460").length).toBeGreaterThan(0)
  expect((await rowOf("Row 3")).getAllByText("12,450").length).toBeGreaterThan(0)
})

describe("entries that Laurel made", () => {
  const origin = {
    transaction_id: "txn_0",
    job: { id: "J-1183", kind: "award", title: "Q3 bonus" },
    row: 12,
    created_by: { id: "user-admin", name: "Priya Nair" },
    can_reverse: true,
  }
  const made = jobView({ id: "J-1190", kind: "deduct", reverses: "J-1183", counts: { planned: 1 } })

  it("name their user, and are reversed with two clicks", async () => {
    const bodies: unknown[] = []
    let isReversed = false
    const { user } = await openLedger("", {
      "POST /api/ledger/origins": ({ body }) => {
        expect(body).toEqual({ ids: ["txn_0", "txn_1"] })
        const reversed_by = { job: "J-1190", row: 1, state: "confirmed" }
        return [isReversed ? { ...origin, can_reverse: false, reversed_by } : origin]
      },
      "POST /api/jobs/J-1183/reverse": ({ body }) => {
        bodies.push(body)
        isReversed = true
        return made
      },
    })
    await user.click(await screen.findByRole("button", { name: "Row 0" }))
    await user.click(await screen.findByRole("button", { name: "Reverse 10 points" }))
    expect(await screen.findByText("· Reversed")).toBeVisible()
    expect(bodies).toEqual([{ rows: [12] }])
    expect(screen.getByText(/Priya Nair, in/)).toBeVisible()
    expect(screen.getByRole("link", { name: "J-1183, row 12" })).toHaveAttribute(
      "href",
      "/jobs/J-1183?row=12",
    )
    expect(screen.getByRole("link", { name: "J-1190, row 1" })).toHaveAttribute("href", "/jobs/J-1190?row=1")
    expect(screen.queryByRole("button", { name: /^Reverse/ })).not.toBeInTheDocument()
  })

  it("of a corrected award are reversed by the remaining points", async () => {
    const { user } = await openLedger("", {
      "POST /api/ledger/origins": () => [{ ...origin, reversible_points: 7 }],
    })
    await user.click(await screen.findByRole("button", { name: "Row 0" }))
    expect(await screen.findByRole("button", { name: "Reverse 7 points" })).toBeVisible()
  })

  it("of another user's job need a manager's reason first", async () => {
    const bodies: unknown[] = []
    const theirs = { ...origin, created_by: { id: "usr_other", name: "Helen Park" } }
    const { user } = await openLedger(
      "",
      {
        "POST /api/ledger/origins": () => [theirs],
        "POST /api/jobs/J-1183/reverse": ({ body }) => {
          bodies.push(body)
          return made
        },
      },
      "manager",
    )
    await user.click(await screen.findByRole("button", { name: "Row 0" }))
    const reverse = await screen.findByRole("button", { name: "Reverse 10 points" })
    expect(reverse).toBeDisabled()
    await user.type(screen.getByLabelText(/Reason \(this is Helen Park’s job\)/), "Paid twice")
    await user.click(reverse)
    await waitFor(() => expect(bodies).toEqual([{ rows: [12], reason: "Paid twice" }]))
  })
})
