import { expect, type Page, type Request } from "@playwright/test"
import * as z from "zod"
import { enter, test } from "./app.ts"
import { readMemberIds } from "./members.ts"

/** API requests of a page until it shows `text` and opens the event stream. */
async function requestsOf(page: Page, url: string, text: string): Promise<string[]> {
  const requests: string[] = []
  const note = (request: Request) => {
    const { pathname, search } = new URL(request.url())
    if (pathname.startsWith("/api/")) requests.push(pathname + search)
  }
  // Excludes requests of the previous page.
  await page.goto("about:blank")
  page.on("request", note)
  await page.goto(url)
  await expect(page.getByText(text).first()).toBeVisible()
  await expect.poll(() => requests).toContain("/api/events")
  page.off("request", note)
  return requests.slice(0, requests.indexOf("/api/events"))
}

const ordersSchema = z.object({ data: z.array(z.object({ order_id: z.string() })) })

test("the first view of a page reads everything once, and takes the session from the page", async ({
  page,
  builtIn,
}) => {
  await enter(page, builtIn.url, "admin", "/members")
  const [member = ""] = await readMemberIds(page, 1)
  const orders = await page.request.get(`${builtIn.url}/api/program/orders?page=1&per_page=1`)
  const [order] = ordersSchema.parse(await orders.json()).data
  for (const [path, text] of [
    ["/", "Points awarded with Laurel"],
    [`/members/${member}`, "Balance after"],
    ["/orders/ship", "ord_"],
    [`/orders/${order?.order_id}`, "ord_"],
    ["/cards", "Gift cards"],
  ] as const) {
    const requests = await requestsOf(page, builtIn.url + path, text)
    expect(requests, path).toEqual([...new Set(requests)])
    expect(requests, path).not.toContain("/api/session")
  }
})

test("the sign-in page requests only /api/about", async ({ page, builtIn }) => {
  const requests: string[] = []
  page.on("request", (request) => requests.push(new URL(request.url()).pathname))
  await page.goto(`${builtIn.url}/members`)
  await expect(page.getByRole("button", { name: "Sign in" })).toBeVisible()
  expect(requests.filter((path) => path.startsWith("/api/"))).toEqual(["/api/about"])
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
