import type { Page, Request } from "@playwright/test"
import * as z from "zod/mini"
import { appStatus } from "../../contract/status.ts"
import type { Sandbox } from "../../sandbox/app.ts"
import { postNumber } from "../e2e/scanner.ts"
import { withApps } from "./apps.ts"
import type { Figure } from "./report.ts"

const response = z.object({ data: appStatus })

/** Serial of the last tracking number: reused and ambiguous numbers need a confirmation. */
let numbered = 990_000_000

/** Bounds of upstream requests and of requests to Laurel's server. */
const bounds = { upstream: 20, browser: 70, cold: 12, warm: 6 }

/**
 * Requests of *open the list, filter, open 5 members with their ledgers and go back, edit one, open orders with
 * names, enter 3 tracking numbers* in a real browser. The peer does the same on the same service.
 */
export async function measureSession(): Promise<Figure[]> {
  return [...(await measureWithoutCopy()), ...(await measureWithCopy())]
}

function measureWithoutCopy(): Promise<Figure[]> {
  // The default plan: member names are read in the background, within the remaining budget.
  return withApps({ rateLimit: 60 }, async ({ sandbox, browser, url, peerUrl, signedIn }) => {
    const other = await browser.newPage({ locale: "en-AU" })
    const theirs = await runSteps(other, "/v1/", stepsOfPeer(other, peerUrl, sandbox), sandbox)
    await other.close()
    const page = await (await signedIn()).newPage()
    const taken = await runSteps(page, "/api/", stepsOf(page, url, sandbox), sandbox)
    return [
      ...taken.map(({ name, upstream }, at) => ({
        name: `session, ${name}: upstream`,
        unit: "",
        value: upstream.length,
        peer: withoutNames(theirs.slice(at, at + 1)).length,
      })),
      {
        name: "session, upstream requests",
        unit: "",
        value: taken.flatMap(({ upstream }) => upstream).length,
        peer: withoutNames(theirs).length,
        atMost: bounds.upstream,
      },
      {
        name: "session, browser requests",
        unit: "",
        value: taken.flatMap(({ browser }) => browser).length,
        atMost: bounds.browser,
      },
    ]
  })
}

/** The same steps twice with everything in the local copy. The requests of its sync are counted apart. */
function measureWithCopy(): Promise<Figure[]> {
  // Their ledgers are in the copy after about two minutes.
  return withApps({ sandbox: { members: 120 }, sync: "on" }, async ({ sandbox, url, signedIn }) => {
    // Enough parcels for both visits.
    const physical = sandbox.store.orders.all.filter(({ type }) => type === "physical").slice(-6)
    for (const order of physical)
      sandbox.store.orders.put({ ...order, status: "pending", tracking: null, carrier: null, shipped: null })
    const page = await (await signedIn()).newPage()
    const status = async () => response.parse(await (await page.request.get(`${url}/api/status`)).json()).data
    const isFilled = async () => {
      const { members, orders, rewards, ledgers } = (await status()).copy
      return [members, orders, rewards, ledgers].every((kind) => kind?.complete === true)
    }
    while (!(await isFilled())) await page.waitForTimeout(1000)
    const sent = async () => {
      const minutes = (await status()).budgets.flatMap((budget) => budget.minutes)
      return minutes.reduce((sum, { people, jobs }) => sum + people + jobs, 0)
    }
    const figures: Figure[] = []
    for (const visit of ["cold", "warm"] as const) {
      const before = await sent()
      await runSteps(page, "/api/", stepsOf(page, url, sandbox), sandbox)
      const value = (await sent()) - before
      figures.push({
        name: `session with the copy, ${visit}: upstream`,
        unit: "",
        value,
        atMost: bounds[visit],
      })
    }
    return figures
  })
}

/** Upstream requests without the names of an order list, which Laurel reads within the remaining budget. */
function withoutNames(taken: Awaited<ReturnType<typeof runSteps>>): string[] {
  return taken.flatMap(({ name, upstream }) =>
    /orders|tracking/.test(name) ? upstream.filter((line) => line !== "GET /v1/members/{id}") : upstream,
  )
}

/** Steps of a user, in order. */
type Steps = Readonly<Record<string, () => Promise<void>>>

/** Runs the steps; returns the upstream requests of each, and the browser's requests whose paths start with `root`. */
async function runSteps(page: Page, root: string, steps: Steps, sandbox: Sandbox) {
  const taken: { name: string; upstream: string[]; browser: string[] }[] = []
  for (const [name, step] of Object.entries(steps)) {
    const before = sandbox.requests.count
    const browser: string[] = []
    const note = (request: Request) => {
      const { pathname } = new URL(request.url())
      if (pathname.startsWith(root)) browser.push(`${request.method()} ${plain(pathname)}`)
    }
    page.on("request", note)
    await step()
    await settled(page)
    page.off("request", note)
    const fresh = sandbox.requests.count - before
    const entries = fresh === 0 ? [] : sandbox.requests.entries.slice(-fresh)
    taken.push({ name, upstream: entries.map(({ method, path }) => `${method} ${plain(path)}`), browser })
  }
  return taken
}

function stepsOf(page: Page, url: string, sandbox: Sandbox): Steps {
  // Excludes a row's action links.
  const rows = page.getByRole("table").locator('a[href^="/members/"]')
  return {
    "open the list": async () => {
      await page.goto(`${url}/members`)
      await rows.first().waitFor()
    },
    filter: async () => {
      await page.getByRole("textbox", { name: /^Search/ }).fill("climate")
      await page.waitForURL(/search=climate/)
      await page.getByText(/^[\d,]+ (members?$|total,)/).waitFor()
    },
    "5 members with ledgers and back": async () => {
      for (let row = 0; row < 5; row += 1) {
        await rows.nth(row).click()
        await page.getByRole("columnheader", { name: "Balance after" }).waitFor()
        await page.goBack()
        await rows.nth(row).waitFor()
      }
    },
    "edit one": async () => {
      await rows.first().click()
      await page.getByRole("link", { name: "Edit" }).first().click()
      await page.getByLabel("Company").fill(`Coastal Climate ${sandbox.requests.count}`)
      await page.getByRole("button", { name: /^Save/ }).click()
      await page.getByText(/saved/i).first().waitFor()
      await page.getByRole("dialog").waitFor({ state: "hidden" })
    },
    "orders with names": async () => {
      await page.getByRole("link", { name: "Orders", exact: true }).first().click()
      await page.locator("[data-row]").first().waitFor()
    },
    "3 tracking numbers": async () => {
      for (let at = 0; at < 3; at += 1) {
        const add = page.getByRole("button", { name: /^Add tracking to / }).first()
        await add.click()
        // A recognised number: any other needs a carrier.
        await page.getByLabel(/^Tracking number/).fill(postNumber((numbered += 1) % 10_000_000))
        await page.keyboard.press("Enter")
        await page
          .getByText(/is shipped now/)
          .last()
          .waitFor()
        await page.getByRole("dialog").waitFor({ state: "hidden" })
      }
    },
  }
}

/** The same steps at the peer, whose lists open a record by a click on its row. */
function stepsOfPeer(page: Page, url: string, sandbox: Sandbox): Steps {
  const rows = page.locator("tbody tr")
  const list = async (name: string) => {
    await page.getByRole("menuitem", { name }).click()
    await page.getByRole("heading", { level: 6, name, exact: true }).waitFor()
    await rows.first().waitFor()
  }
  const saved = async () => {
    await page.getByRole("button", { name: "Save" }).click()
    await page.getByText("Element updated").last().waitFor()
    await rows.first().waitFor()
  }
  return {
    "open the list": async () => {
      await page.goto(`${url}/#/members`)
      await page.reload()
      await rows.first().waitFor()
    },
    filter: async () => {
      await page.getByPlaceholder("Name or e-mail").fill("climate")
      await page.waitForURL(/climate/)
      await settled(page)
    },
    "5 members with ledgers and back": async () => {
      for (let row = 0; row < 5; row += 1) {
        await rows.nth(row).click()
        await page.getByRole("tab", { name: "Ledger" }).click()
        await page.getByRole("columnheader", { name: "Balance after" }).waitFor()
        await list("Members")
      }
    },
    "edit one": async () => {
      await rows.first().click()
      await page.getByRole("link", { name: "Edit" }).click()
      await page.getByLabel("Company").fill(`Coastal Climate ${sandbox.requests.count}`)
      await saved()
    },
    "orders with names": async () => list("Orders"),
    "3 tracking numbers": async () => {
      for (let at = 0; at < 3; at += 1) {
        await rows.nth(at).getByText(/^ord_/).click()
        // The disappearing list has a heading of that name.
        await page.getByRole("textbox", { name: "Tracking number" }).fill(`PARCEL${(numbered += 1)}`)
        await saved()
      }
    },
  }
}

/** A path with its ids replaced. */
function plain(path: string): string {
  return path.replaceAll(/\/(?:(?:mem|ord|rew|rwd)[_-][^/]+|J-\d+|[A-Z]{2,4}-?\d+)/g, "/{id}")
}

/** Waits until no request was made for 1.2 s, so that requests caused by a step count for it. */
async function settled(page: Page): Promise<void> {
  let last = Date.now()
  const note = () => (last = Date.now())
  page.on("request", note)
  while (Date.now() - last < 1200) await page.waitForTimeout(200)
  page.off("request", note)
}
