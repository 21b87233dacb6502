import { expect, type Page, type Request } from "@playwright/test"
import { enter, test } from "./app.ts"
import { memberIdsSeen } from "./members.ts"

/** Addresses below `/api` that a page asks for while it is opened; all but the event stream have been answered then. */
async function askedBy(page: Page, open: () => Promise<unknown>, seen: string): Promise<string[]> {
  const asked: string[] = []
  const waiting = new Set<Request>()
  const note = (request: Request) => {
    const { pathname, search } = new URL(request.url())
    if (pathname.startsWith("/api/")) asked.push(pathname + search)
    if (pathname.startsWith("/api/") && pathname !== "/api/events") waiting.add(request)
  }
  const end = (request: Request) => waiting.delete(request)
  page.on("request", note).on("requestfinished", end).on("requestfailed", end)
  await open()
  await expect(page.getByText(seen).first()).toBeVisible()
  await expect.poll(() => waiting.size).toBe(0)
  page.off("request", note).off("requestfinished", end).off("requestfailed", end)
  return asked
}

test.describe("the first view of a page", () => {
  test("brings what the server has, and asks once for what it has not", async ({ page, builtIn }) => {
    await enter(page, builtIn.url, "admin", "/members")
    const [member = ""] = await memberIdsSeen(page, 1)
    for (const [path, seen, reads] of [
      [
        "/",
        "Points awarded with Laurel",
        ["/api/audit?per_page=50", "/api/settings/leaderboardMappings", "/api/program/leaderboards"],
      ],
      ["/members", "Ana Silva", ["/api/program/members?page=1&per_page=25"]],
      ["/orders", "ord_", ["/api/program/orders?page=1&per_page=25"]],
      ["/rewards", "points", ["/api/program/rewards?page=1&per_page=25"]],
      ["/cards", "Gift cards", ["/api/cards?page=1&per_page=25"]],
      [
        `/members/${member}`,
        "Balance after",
        ["", "/balance", "/transactions?page=1&per_page=25"].map(
          (of) => `/api/program/members/${member}${of}`,
        ),
      ],
    ] as const) {
      const first = await askedBy(page, () => page.goto(builtIn.url + path), seen)
      for (const read of reads) {
        expect(first.filter((each) => each === read).length, `${read}, perhaps cached`).toBeLessThanOrEqual(1)
      }
      const again = await askedBy(page, () => page.reload(), seen)
      expect(again).not.toContain("/api/session")
      for (const read of reads) expect(again).not.toContain(read)
    }
  })

  test("of signing in asks for nothing", async ({ page, builtIn }) => {
    const asked = await askedBy(page, () => page.goto(`${builtIn.url}/members`), "Sign in")
    expect(asked).toEqual([])
  })
})
