import { expect, type Page } from "@playwright/test"
import { awardFile, plainRows } from "./award-file.ts"
import { test as base, watch } from "./app.ts"
import { inspectPages } from "./inspect-pages.ts"
import { readMemberIds } from "./members.ts"

/** A request to another origin fails the test. */
const test = base.extend<{ elsewhere: string[] }>({
  elsewhere: [
    async ({ context, demo }, use) => {
      const elsewhere: string[] = []
      context.on("request", (request) => {
        const url = request.url()
        if (!url.startsWith(`${demo.url}/`) && !url.startsWith("data:")) elsewhere.push(url)
      })
      await use(elsewhere)
      expect(elsewhere).toEqual([])
    },
    { auto: true },
  ],
})

test.use({ serviceWorkers: "allow" })

const memberHeading = (page: Page) => page.getByRole("heading", { level: 1, name: "Ana Silva" })
const facts = (page: Page) => page.getByRole("complementary")

/** Signs in with one click and waits for the member list. */
async function enter(page: Page, url: string): Promise<void> {
  await page.goto(`${url}/members`)
  await page.getByRole("button", { name: /Administrator/ }).click()
  await expect(page.getByRole("table").getByRole("row").nth(1)).toBeVisible()
}

/** Opens a member from the list; returns the path of their page. */
async function openAna(page: Page): Promise<string> {
  await page.getByLabel("Name or e-mail").fill("ana.silva")
  await page.getByRole("link", { name: "Ana Silva" }).first().click()
  await expect(memberHeading(page)).toBeVisible()
  return new URL(page.url()).pathname
}

async function fillAward(page: Page, points: string, reason: string): Promise<void> {
  await page.getByLabel("Points", { exact: true }).fill(points)
  await page.getByLabel("Reason", { exact: true }).fill(reason)
}

const openPanel = (page: Page) => page.getByRole("button", { name: /^Demo/ }).click()
const openFaults = async (page: Page) => {
  await openPanel(page)
  await panel(page).getByRole("tab", { name: "For engineers" }).click()
}
const panel = (page: Page) => page.getByRole("dialog", { name: "Demo" })

async function turnAllOff(page: Page): Promise<void> {
  await panel(page).getByRole("tab", { name: "For engineers" }).click()
  const button = panel(page).getByRole("button", { name: "Turn all off" })
  await button.click()
  await expect(button).toBeHidden()
}

test.describe("the demo without a server", () => {
  test("a change survives a reload, is in the audit log, and is removed by a reset", async ({
    page,
    demo,
  }) => {
    await enter(page, demo.url)
    const path = await openAna(page)
    await page.getByRole("link", { name: "Edit" }).first().click()
    await page.getByLabel("Company").fill("Coastal Climate & Sons")
    await page.getByLabel("Value of region").fill("Gympie")
    await page.getByRole("button", { name: /^Save/ }).click()
    await expect(facts(page).getByText("Coastal Climate & Sons")).toBeVisible()

    await page.reload()
    await expect(facts(page).getByText("Coastal Climate & Sons")).toBeVisible()
    await expect(facts(page).getByText("Gympie")).toBeVisible()
    await page.goto(`${demo.url}/audit`)
    const entry = page.getByRole("row").filter({ hasText: "Edited a member" }).first()
    await expect(entry).toContainText("Ana Silva")

    await openPanel(page)
    await panel(page).getByRole("button", { name: "Reset", exact: true }).click()
    await panel(page).getByRole("button", { name: "Reset the demo" }).click()
    await expect(page.getByRole("heading", { name: "Sign in to Laurel" })).toBeVisible()
    await enter(page, demo.url)
    await page.goto(demo.url + path)
    await expect(memberHeading(page)).toBeVisible()
    await expect(facts(page).getByText("Coastal Climate Co")).toBeVisible()
    await page.goto(`${demo.url}/audit`)
    await expect(page.getByRole("row").filter({ hasText: "Signed in" }).first()).toBeVisible()
    await expect(page.getByRole("row").filter({ hasText: "Edited a member" })).toHaveCount(0)
  })

  test("another role is chosen with one click and sees fewer fields", async ({ page, demo }) => {
    await enter(page, demo.url)
    await expect(page.getByText("ana.silva@coastalclimate.com.au")).toBeVisible()
    await openPanel(page)
    await panel(page).getByRole("button", { name: "Fulfilment" }).click()
    await expect(page.getByText("Tom Whitlock").first()).toBeVisible()
    await expect(page.getByRole("table").getByRole("row").nth(1)).toBeVisible()
    await expect(page.getByText("ana.silva@coastalclimate.com.au")).toHaveCount(0)
    await expect(page.getByLabel("Name or e-mail")).toHaveCount(0)
  })

  test("a service fault applies, survives a reload, and ends when switched off", async ({ page, demo }) => {
    await enter(page, demo.url)
    await openFaults(page)
    await panel(page)
      .getByRole("group", { name: "Program service responses" })
      .getByRole("switch", { name: /^Offline/ })
      .check()
    await page.keyboard.press("Escape")
    await expect(page.getByRole("button", { name: "Demo 1 fault is on" })).toBeFocused()
    await page.reload()
    await expect(
      page.getByText(/unreadable|could not be read|couldn’t (load|be reached)/i).first(),
    ).toBeVisible()
    await openPanel(page)
    await turnAllOff(page)
    await page.keyboard.press("Escape")
    await expect(panel(page)).toBeHidden()
    await page.reload()
    await expect(page.getByRole("table").getByRole("row").nth(1)).toBeVisible()
  })

  test("awards of one member and a file are confirmed, also after a lost response and a reload", async ({
    page,
    demo,
  }) => {
    await enter(page, demo.url)
    const members = await readMemberIds(page, 12)
    await page.getByLabel("Name or e-mail").fill("ana.silva")
    const row = page.getByRole("row").filter({ hasText: "Ana Silva" })
    await row.hover()
    await row.getByRole("link", { name: "Award points to Ana Silva" }).click()
    await fillAward(page, "250", "Trade night, Maroochydore")
    await page.getByRole("button", { name: "Award 250 points to Ana Silva" }).click()
    await expect(page.getByText("250 points awarded to Ana Silva")).toBeVisible()
    await expect(page.getByRole("dialog")).toBeHidden()

    await page.goto(`${demo.url}/members/points-file?kind=award`)
    const choosing = page.waitForEvent("filechooser")
    await page.getByRole("button", { name: "Choose a file" }).click()
    await (await choosing).setFiles(awardFile("small.csv", plainRows(members, "Q3 installer bonus")))
    await page.getByRole("button", { name: /^Award .* points to 12 members$/ }).click()
    await expect(page).toHaveURL(/\/jobs\//)
    const state = page.getByRole("main").locator("header")
    await expect(state.getByText("Done", { exact: true })).toBeVisible()
    await page.reload()
    await expect(state.getByText("Done", { exact: true })).toBeVisible()
    await expect(page.getByRole("table").getByRole("row")).toHaveCount(13)

    await openFaults(page)
    await panel(page)
      .getByRole("switch", { name: /^Done, then the line drops/ })
      .check()
    await page.keyboard.press("Escape")
    await page.goto(`${demo.url}/members?act=award&for=${members[1] ?? ""}`)
    await fillAward(page, "300", "Answer lost")
    await page.getByRole("button", { name: /^Award 300 points to/ }).click()
    const drawer = page.getByRole("dialog", { name: "Award points" })
    await expect(drawer.getByText("Outcome not known yet")).toBeVisible()
    const outcome = page.url()
    await page.goto(`${demo.url}/settings/about`)
    await openPanel(page)
    await turnAllOff(page)
    await page.goto(outcome)
    await expect(drawer.getByText(/^300 points awarded to/)).toBeVisible()
  })

  test("a second tab says where the demo is open, and continues when that tab is closed", async ({
    page,
    context,
    demo,
  }) => {
    await enter(page, demo.url)
    const second = await context.newPage()
    const complaints: string[] = []
    watch(second, complaints)
    await second.goto(`${demo.url}/audit`)
    await expect(second.getByRole("heading", { name: "The demo is open in another tab" })).toBeVisible()
    await page.close()
    await expect(second.getByRole("heading", { level: 1, name: "Audit log" })).toBeVisible()
    expect(complaints).toEqual([])
  })

  test("a hard reload gets its worker back", async ({ page, context, demo }) => {
    await enter(page, demo.url)
    await page.evaluate(() => document.body.setAttribute("data-before", ""))
    const tools = await context.newCDPSession(page)
    await tools.send("Page.reload", { ignoreCache: true })
    await expect(page.locator("body[data-before]")).toHaveCount(0)
    await expect(page.getByRole("table").getByRole("row").nth(1)).toBeVisible()
    expect(await page.evaluate(() => navigator.serviceWorker.controller !== null)).toBe(true)
  })

  test("faults and the tour work in a full storage", async ({ page, demo }) => {
    await enter(page, demo.url)
    await page.evaluate(() => {
      Storage.prototype.setItem = () => {
        throw new DOMException("Full.", "QuotaExceededError")
      }
    })
    await openFaults(page)
    const fault = panel(page)
      .getByRole("switch", { name: /^Offline/ })
      .first()
    await fault.click()
    await expect(fault).toBeChecked()
    await turnAllOff(page)
    await expect(fault).not.toBeChecked()
    await panel(page).getByRole("tab", { name: "Tour" }).click()
    await page.getByRole("button", { name: "Start the tour" }).click()
    await page.getByRole("button", { name: "Next stop" }).click()
    await expect(page.getByRole("heading", { name: "Award a file with mistakes" })).toBeVisible()
  })

  test("the panel and the tour have no accessibility violation", async ({ page, demo }) => {
    const findings = await inspectPages(page)
    await enter(page, demo.url)
    await openFaults(page)
    await panel(page).getByRole("switch", { name: /^Slow/ }).first().check()
    await findings.check("panel")
    await panel(page).getByRole("tab", { name: "Tour" }).click()
    await findings.check("panel, tour")
    await panel(page).getByRole("button", { name: "Start the tour" }).click()
    const tour = page.getByRole("region", { name: "Demo" }).getByRole("region")
    for (const stop of ["Find a member", "Award a file with mistakes", "Lose a response"]) {
      await expect(tour.getByRole("heading", { name: stop })).toBeVisible()
      await findings.check(stop)
      await tour.getByRole("button", { name: "Next stop" }).click()
    }
    await findings.checkOverflow("tour", new Set(["tour"]))
    expect(findings.all()).toEqual([])
  })

  test("on a phone the collapsed tour covers no page’s heading", async ({ page, demo }) => {
    await enter(page, demo.url)
    await openPanel(page)
    await panel(page).getByRole("button", { name: "Start the tour" }).click()
    const tour = page.getByRole("region", { name: "Demo" }).getByRole("region")
    const underTour = () =>
      page.evaluate(() => {
        const [bar, heading] = ["[aria-labelledby=demo-tour-title]", "h1"].map((which) =>
          document.querySelector(which)?.getBoundingClientRect(),
        )
        return bar === undefined || heading === undefined || heading.top < bar.bottom
      })
    for (const stop of [1, 2, 3, 4, 5, 6]) {
      await page.setViewportSize({ width: 390, height: 844 })
      const go = tour.getByRole("button", { name: "Go there" })
      await go.click()
      // Collapsed once the page has loaded.
      await expect(go).toBeHidden()
      await expect.poll(underTour).toBe(false)
      await page.setViewportSize({ width: 320, height: 640 })
      await expect.poll(underTour).toBe(false)
      if (stop === 6) return
      // A page that takes the focus on load collapses the tour again.
      const next = tour.getByRole("button", { name: "Next stop" })
      await expect(async () => {
        if (await next.isHidden()) await tour.getByRole("button", { name: `Stop ${stop} of 6` }).click()
        await next.click({ timeout: 2000 })
      }).toPass()
    }
  })
})

test.describe("where the demo cannot run", () => {
  test.use({ serviceWorkers: "block" })

  test("a blocked service worker is explained", async ({ page, demo }) => {
    const findings = await inspectPages(page)
    await page.goto(demo.url)
    await expect(page.getByRole("heading", { name: "The demo’s service worker is blocked" })).toBeVisible()
    await expect(page.getByText(/Allow cookies and site data/)).toBeVisible()
    await expect(page.getByRole("button", { name: "Try again" })).toBeVisible()
    await findings.check("blocked demo")
    expect(findings.all()).toEqual([])
  })

  test("blocked cookies and site data are explained", async ({ page, demo }) => {
    await page.addInitScript(() => {
      for (const name of ["localStorage", "sessionStorage"]) {
        const get = () => {
          throw new DOMException("Access is denied.", "SecurityError")
        }
        Object.defineProperty(window, name, { get })
      }
    })
    await page.goto(demo.url)
    await expect(page.getByText(/Allow cookies and site data/)).toBeVisible()
    await expect(page.getByRole("button", { name: "Try again" })).toBeVisible()
  })
})
