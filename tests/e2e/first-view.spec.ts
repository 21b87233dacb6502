import { expect, type Page, type Request } from "@playwright/test"
import * as z from "zod"
import { enter, test } from "./app.ts"
import { memberIdsSeen } from "./members.ts"

/** What a page asks for until it shows something and follows events; a repeated read stands there twice. */
async function askedBy(page: Page, url: string, seen: string): Promise<string[]> {
  const asked: string[] = []
  const note = (request: Request) => {
    const { pathname, search } = new URL(request.url())
    if (pathname.startsWith("/api/")) asked.push(pathname + search)
  }
  // A page asks until the next one has come: it is left first.
  await page.goto("about:blank")
  page.on("request", note)
  await page.goto(url)
  await expect(page.getByText(seen).first()).toBeVisible()
  await expect.poll(() => asked).toContain("/api/events")
  page.off("request", note)
  return asked.slice(0, asked.indexOf("/api/events"))
}

const ordersSchema = z.object({ data: z.array(z.object({ order_id: z.string() })) })

test.describe("the first view of a page", () => {
  test("brings what the server has, and asks once for what it has not", async ({ page, builtIn }) => {
    await enter(page, builtIn.url, "admin", "/members")
    const [member = ""] = await memberIdsSeen(page, 1)
    const orders = await page.request.get(`${builtIn.url}/api/program/orders?page=1&per_page=1`)
    const [order] = ordersSchema.parse(await orders.json()).data
    const names = "/api/members/names"
    for (const [path, seen, ...others] of [
      // The board that is shown is known when the boards are.
      ["/", "Points awarded with Laurel", /rankings\?/],
      ["/members", "Ana Silva"],
      [`/members/${member}`, "Balance after", "/api/ledger/origins"],
      ["/orders", "ord_", names],
      ["/orders/ship", "ord_", names],
      [`/orders/${order?.order_id}`, "ord_", names, /\/address$/],
      ["/rewards", "points"],
      ["/cards", "Gift cards"],
      ["/leaderboards", "Leaderboards"],
      ["/jobs", "Jobs"],
    ] as const) {
      const expected = (each: string) => others.some((other) => each.match(other) !== null)
      const first = await askedBy(page, builtIn.url + path, seen)
      const reads = first.filter((each) => !expected(each))
      expect(reads, path).toEqual([...new Set(reads)])
      // Once more if what was kept for the first one has become too old meanwhile: it is kept anew then.
      const again = async () =>
        (await askedBy(page, builtIn.url + path, seen)).filter((each) => !expected(each))
      await expect.poll(again, { message: path }).toEqual([])
    }
  })

  test("of signing in asks for nothing", async ({ page, builtIn }) => {
    const asked: string[] = []
    page.on("request", (request) => asked.push(new URL(request.url()).pathname))
    await page.goto(`${builtIn.url}/members`)
    await expect(page.getByRole("button", { name: "Sign in" })).toBeVisible()
    expect(asked.filter((path) => path.startsWith("/api/"))).toEqual([])
  })
})

test("a browser that is too old shows a message instead of an empty page", async ({ page, builtIn }) => {
  await page.addInitScript(() => Reflect.deleteProperty(Promise, "withResolvers"))
  await page.goto(builtIn.url)
  await expect(page.getByRole("alert")).toHaveText(/^This browser is too old for Laurel\. Nothing was loaded/)
})

test("an address that cannot be decoded opens a page about the damaged link", async ({ page, builtIn }) => {
  await enter(page, builtIn.url, "admin", "/")
  await page.goto(`${builtIn.url}/orders/%E0%A4%A`)
  await expect(page.getByRole("heading", { name: "This link is damaged" })).toBeVisible()
})
