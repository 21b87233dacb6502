import type { Page, Request } from "@playwright/test"
import { createSandbox, type Sandbox } from "../../sandbox/app.ts"
import { demoKey } from "../../sandbox/config.ts"
import { serveSandbox } from "../../sandbox/serve.ts"
import { admin, startAppProcess, upstreamEnv } from "../support/app-process.ts"
import { postNumber } from "../e2e/scanner.ts"
import { openBrowser } from "./bytes.ts"
import { startPeer } from "./peer.ts"
import type { Figure } from "./report.ts"

/** Serial of the last tracking number: reused and ambiguous numbers need a confirmation. */
let numbered = 990_000_000

/** Bounds of upstream requests and of requests to Laurel's server. */
const bounds = { cold: { upstream: 20, browser: 50 }, warm: { upstream: 9, browser: 50 } } as const

/**
 * Requests of *open the list, filter, open 5 members with their ledgers and go back, edit one, open orders with
 * names, enter 3 tracking numbers* in a real browser: cold, and again right after, while the responses are fresh.
 * Paths are listed below each figure. The peer does the same on the same service.
 */
export async function measureSession(): Promise<Figure[]> {
  const sandbox = createSandbox({ rateLimit: 0 })
  const served = await serveSandbox(sandbox, { host: "127.0.0.1", port: 0 })
  // The default plan: member names are read in the background, within the remaining budget.
  const app = await startAppProcess(upstreamEnv(served.url, demoKey, 60))
  const browser = await openBrowser()
  const page = await browser.newPage({ locale: "en-AU" })
  await page.goto(`${app.url}/sign-in?redirect=%2Fsettings%2Fabout`)
  await page.getByLabel("E-mail").fill(admin.email)
  await page.getByLabel("Password", { exact: true }).fill(admin.password)
  await page.getByRole("button", { name: "Sign in" }).click()
  await page.waitForURL((at) => at.pathname.startsWith("/settings"))

  const peer = await startPeer(served.url, demoKey)
  const other = await browser.newPage({ locale: "en-AU" })
  const theirs = { cold: 0, warm: 0 }
  for (const temperature of ["cold", "warm"] as const) {
    const taken = await runSteps(other, "/v1/", stepsOfPeer(other, peer.url, sandbox), sandbox)
    theirs[temperature] = withoutNames(taken).length
  }
  await other.close()
  await peer.stop()

  const figures: Figure[] = []
  for (const temperature of ["cold", "warm"] as const) {
    const taken = await runSteps(page, "/api/", stepsOf(page, app.url, sandbox), sandbox)
    const upstream = taken.flatMap((step) => step.upstream)
    const requested = taken.flatMap((step) => step.browser)
    const unnamed = await page.getByRole("table").getByText(/^mem_/).count()
    figures.push(
      ...taken.flatMap((step) => [
        ...figuresOf(`${temperature}: ${step.name}, upstream`, step.upstream),
        { name: `${temperature}: ${step.name}, browser`, value: step.browser.length, unit: "requests" },
      ]),
      {
        name: `${temperature}: upstream in all`,
        value: upstream.length,
        unit: "requests",
        atMost: bounds[temperature].upstream,
      },
      {
        name: `${temperature}: the peer’s, names of members aside`,
        value: theirs[temperature],
        unit: "requests",
      },
      {
        name: `${temperature}: upstream / the peer’s`,
        value: upstream.length / theirs[temperature],
        unit: "",
      },
      ...figuresOf(`${temperature}: browser to server in all`, requested, bounds[temperature].browser),
      { name: `${temperature}: orders whose member’s name is not known yet`, value: unnamed, unit: "" },
    )
  }
  await browser.close()
  await app.stop()
  await served.close()
  return figures
}

/** Upstream requests without the names of an order list, which Laurel reads within the remaining budget. */
function withoutNames(taken: Awaited<ReturnType<typeof runSteps>>): string[] {
  return taken.flatMap(({ name, upstream }) =>
    /orders|tracking/.test(name) ? upstream.filter((line) => line !== "GET /v1/members/{id}") : upstream,
  )
}

/** The total, followed by the count of each line. */
function figuresOf(name: string, lines: readonly string[], atMost?: number): Figure[] {
  const counts = [...Map.groupBy(lines, (line) => line)].map(([line, same]) => [line, same.length] as const)
  return [
    { name, value: lines.length, unit: "requests", ...(atMost !== undefined && { atMost }) },
    ...counts
      .toSorted(([, one], [, other]) => other - one)
      .map(([line, value]) => ({ name: `    ${line}`, value, unit: "" })),
  ]
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
      await page.getByPlaceholder("Name or e-mail").fill("climate")
      await page.waitForURL(/search=climate/)
      await page.getByText(/^[\d,]+ members?$/).waitFor()
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
