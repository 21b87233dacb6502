import { readFile } from "node:fs/promises"
import { expect } from "@playwright/test"
import * as z from "zod"
import { enter, test } from "./app.ts"
import { countEffort } from "./effort.ts"
import { inspectPages } from "./inspect-pages.ts"
import { closeFromHome, monthToClose } from "./month-end.ts"
import { reportMeasurement } from "./report-measurement.ts"

const differences = z.object({
  data: z.array(
    z.object({
      member: z.object({ id: z.string() }),
      points: z.number(),
      at: z.string(),
      transaction_id: z.string(),
    }),
  ),
})

test.describe.configure({ mode: "serial" })

test.describe("the books", () => {
  test("have pages without an accessibility violation or overflow", async ({
    page,
    copied: { url: books },
  }) => {
    const findings = await inspectPages(page)
    await enter(page, books, "admin")
    const { month, name } = await monthToClose(page, books)
    for (const [what, path, title] of [
      ["books", "/books", "Books"],
      ["month", `/books/${month}`, name],
      ["month, one class", `/books/${month}?class=foreign`, name],
      ["close a month", `/books/${month}?open=close`, name],
      ["download a month", `/books/${month}?open=export`, name],
      ["match a finance file", `/books/${month}/match`, "Match a finance file"],
    ] as const) {
      await page.goto(books + path)
      const heading = page.getByRole("heading", { level: 1, name: title, includeHidden: true })
      await expect(heading).toBeVisible()
      if (path.includes("open=")) await expect(page.getByRole("dialog")).toBeVisible()
      else if (!path.endsWith("/match")) await expect(page.getByRole("table").first()).toBeVisible()
      await findings.check(what)
      await findings.checkOverflow(what, true)
    }
    expect(findings.all()).toEqual([])
  })

  test("print a statement on one page, without the app around it", async ({
    page,
    copied: { url: books },
  }) => {
    await enter(page, books, "admin")
    const { month, name } = await monthToClose(page, books)
    await page.goto(`${books}/books/${month}`)
    await expect(page.getByRole("table", { name: "Statement" })).toBeVisible()
    await page.emulateMedia({ media: "print" })
    const paper = page.getByRole("article", { name: `Books of ${name}` })
    await expect(paper).toBeVisible()
    await expect(paper).toContainText("Closing balance")
    await expect(page.getByRole("navigation").first()).toBeHidden()
    const pdf = await page.pdf({ preferCSSPageSize: true })
    expect(pdf.toString("latin1").match(/\/Type\s*\/Page\b(?!s)/g)).toHaveLength(1)
  })

  test("have differences that are downloaded with their members", async ({
    page,
    copied: { url: books },
  }) => {
    await enter(page, books, "admin")
    const { month } = await monthToClose(page, books)
    await page.goto(`${books}/books/${month}?open=export`)
    const dialog = page.getByRole("dialog")
    await dialog.getByText("Differences", { exact: true }).click()
    const waiting = page.waitForEvent("download")
    await dialog.getByRole("button", { name: /^Download \d+ differences$/ }).click()
    const lines = (await readFile(await (await waiting).path(), "utf8")).trim().split("\r\n")
    const answer = await page.request.get(`${books}/api/books/${month}/differences`)
    const { total } = z.object({ meta: z.object({ total: z.number() }) }).parse(await answer.json()).meta
    expect(lines).toHaveLength(total + 1)
    await expect(dialog.getByText(`${total} rows were exported`)).toBeVisible()
  })

  test("are compared with a finance file, and nothing is written", async ({
    page,
    copied: { url: books },
  }) => {
    await enter(page, books, "manager")
    const { month, name } = await monthToClose(page, books)
    const answer = await page.request.get(`${books}/api/books/${month}/differences?class=foreign&per_page=3`)
    const rows = differences.parse(await answer.json()).data
    const dayOf = new Intl.DateTimeFormat("en-CA", { timeZone: "Australia/Brisbane" })
    const lines = rows.map(({ member, points, at }) => `${member.id},${points},${dayOf.format(new Date(at))}`)
    await page.goto(`${books}/books/${month}`)
    await page.getByRole("link", { name: "Match a file" }).click()
    await page.locator("input[type=file]").setInputFiles({
      name: "finance.csv",
      mimeType: "text/csv",
      buffer: Buffer.from(["member,points,date", ...lines, `mem_nobody,77,${month}-15`].join("\n")),
    })
    await page.getByRole("button", { name: `Match ${lines.length + 1} rows` }).click()
    const result = page.getByRole("region", { name: "Result" })
    await expect(result).toContainText(`Matched${lines.length}`)
    await expect(page.getByRole("table", { name: "Not in ledgers" })).toContainText("mem_nobody")
    await page.getByRole("link", { name }).click()
    await expect(page.getByRole("heading", { level: 1, name })).toBeVisible()
  })

  test("are closed in at most three clicks from the home page", async ({
    page,
    copied: { url: books },
  }, info) => {
    await enter(page, books, "admin")
    const { month, name } = await monthToClose(page, books)
    const effort = await countEffort(page)
    await page.goto(books)
    await expect(page.getByRole("region", { name: "Needs attention" })).toBeVisible()
    await effort.take()
    await closeFromHome(page, name)
    const { clicks, keys } = await effort.take()
    reportMeasurement(info, `close the month: ${clicks.length} c + ${keys.length} k`)
    expect(clicks.length, clicks.join("; ")).toBeLessThanOrEqual(3)
    expect(keys).toEqual([])
    await expect(page.getByText(/^Closed \d.* by /)).toBeVisible()
    const again = await page.request.post(`${books}/api/books/${month}/close`, {
      headers: { "X-Laurel": "1" },
      data: { not_read: 0 },
    })
    expect(again.status()).toBe(409)
  })
})
