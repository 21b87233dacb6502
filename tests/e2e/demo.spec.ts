import { expect, type Page } from "@playwright/test"
import { test as base, watch } from "./app.ts"
import { inspectPages } from "./inspect-pages.ts"

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

const heading = (page: Page, name: string) => page.getByRole("heading", { level: 1, name, exact: true })
const facts = (page: Page) => page.getByRole("complementary")

/** Signs in with one click and waits for the member list. */
async function enter(page: Page, url: string): Promise<void> {
  await page.goto(`${url}/members`)
  await page.getByRole("button", { name: /Administrator/ }).click()
  await expect(page.getByRole("table").getByRole("row").nth(1)).toBeVisible()
}

/** Opens a member from the list. */
async function openAna(page: Page): Promise<void> {
  await page.getByRole("textbox", { name: /^Search/ }).fill("ana.silva")
  await page.getByRole("link", { name: "Ana Silva" }).first().click()
  await expect(heading(page, "Ana Silva")).toBeVisible()
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

test.describe("the demo on a static file server, under a path", () => {
  test("a file that failed to load is explained; deep links and one-time links open", async ({
    page,
    context,
    demo: { url: site },
  }) => {
    // Not watched: the browser logs its missing files.
    const broken = await context.newPage()
    for (const file of ["react", "start", "router"]) {
      await broken.route(new RegExp(`/assets/${file}-[^/]*\\.js$`), (route) => route.abort())
    }
    await broken.goto(`${site}/`)
    await expect(broken.getByRole("alert")).toContainText("one of its files didn’t arrive. Nothing was lost.")
    await expect(broken.getByRole("button", { name: "Reload" })).toBeFocused()
    await broken.unrouteAll()
    await broken.keyboard.press("Enter")
    await expect(broken.getByRole("button", { name: /Administrator/ })).toBeVisible()
    await broken.close()

    await page.goto(`${site}/orders?status=shipped`)
    await page.getByRole("button", { name: /Administrator/ }).click()
    await expect(heading(page, "Orders")).toBeVisible()
    expect(page.url()).toBe(`${site}/orders?status=shipped`)
    expect(await page.evaluate(() => navigator.serviceWorker.controller?.scriptURL)).toBe(
      `${site}/mockServiceWorker.js`,
    )
    await page.goto(`${site}/members/mem_8Fq2Lx41`)
    await expect(heading(page, "Ana Silva")).toBeVisible()
    await page.getByRole("link", { name: "Orders" }).first().click()
    await expect(heading(page, "Orders")).toBeVisible()
    expect(page.url()).toBe(`${site}/orders`)
    await page.goBack()
    await expect(heading(page, "Ana Silva")).toBeVisible()

    await page.goto(`${site}/settings/users/new`)
    await page.getByLabel("Name", { exact: true }).fill("Jo Bell")
    await page.getByLabel("E-mail", { exact: true }).fill("jo@laurel.demo")
    await page.getByRole("radiogroup", { name: "Role" }).getByText("Manager", { exact: true }).click()
    await page.getByRole("button", { name: "Create Jo Bell" }).click()
    const link = await page.getByLabel("One-time link").inputValue()
    expect(link.startsWith(`${site}/set-password#token=`)).toBe(true)
    page.on("dialog", (dialog) => void dialog.accept())
    await page.goto(link)
    await expect(heading(page, "Set your password")).toBeVisible()
  })

  test("the tour leads through its six stops, and can be left and resumed at a stop without its fault", async ({
    page,
    demo: { url: site },
  }) => {
    const go = () => tour.getByRole("button", { name: "Go there" }).click()
    const next = () => tour.getByRole("button", { name: "Next stop" }).click()
    const stop = (title: string) => tour.getByRole("heading", { name: title })
    const tour = page.getByRole("region", { name: "Demo" }).getByRole("region")
    await page.goto(`${site}/`)
    await page.getByRole("button", { name: /Administrator/ }).click()
    await expect(heading(page, "Today")).toBeVisible()
    await page.getByRole("button", { name: /^Demo/ }).click()
    await page.getByRole("button", { name: "Start the tour" }).click()

    await expect(stop("Find a member")).toBeFocused()
    await page.keyboard.press("Control+k")
    await page.keyboard.type("ana silva")
    await expect(page.getByRole("option", { name: /Ana Silva/ }).first()).toBeVisible()
    await page.keyboard.press("Enter")
    await expect(heading(page, "Ana Silva")).toBeVisible()

    await next()
    await expect(stop("Award a file with mistakes")).toBeFocused()
    await go()
    const saving = page.waitForEvent("download")
    await tour.getByRole("button", { name: "Save the file" }).click()
    const file = await (await saving).path()
    const choosing = page.waitForEvent("filechooser")
    await page.getByRole("button", { name: "Choose a file" }).click()
    await (await choosing).setFiles(file)
    await expect(page.getByText("Not a number")).toBeVisible()
    await expect(page.getByText("Same as row 2")).toBeVisible()
    await page.getByRole("button", { name: "Award 1,050 points to 3 members" }).click()
    await expect(page.getByRole("main").locator("header").getByText("Done", { exact: true })).toBeVisible()

    await next()
    await go()
    const drawer = page.getByRole("dialog", { name: "Award points" })
    // Includes the award of the file.
    await expect(drawer.getByText("12,880").first()).toBeVisible()
    await drawer.getByLabel("Points", { exact: true }).focus()
    await page.keyboard.press("F6")
    await expect(stop("Lose a response")).toBeFocused()
    await page.keyboard.press("Tab")
    await expect(tour.getByRole("button", { name: "Go there" })).toBeFocused()
    await page.keyboard.press("F6")
    await expect(drawer.getByLabel("Points", { exact: true })).toBeFocused()
    await drawer.getByLabel("Points", { exact: true }).fill("100")
    await drawer.getByLabel("Reason", { exact: true }).fill("Lost on its way")
    await drawer.getByRole("button", { name: "Award 100 points to Ana Silva" }).click()
    await expect(drawer.getByText("Outcome not known yet")).toBeVisible()
    await expect(page.getByText(/100 points awarded to/).first()).toBeVisible()
    await page.goto(`${site}/members/mem_8Fq2Lx41`)
    await expect(page.getByText("12,980").first()).toBeVisible()

    await expect(stop("Lose a response")).toBeVisible()
    await tour.getByRole("button", { name: "Leave the tour" }).click()
    await expect(tour).toHaveCount(0)
    await page.getByRole("button", { name: "Demo Nothing leaves this browser" }).click()
    await page.getByRole("button", { name: "Continue at stop 3" }).click()

    await next()
    await go()
    const queue = page.getByRole("complementary", { name: "To ship" }).getByRole("listitem")
    // ms between keys: faster ones count as a scanner, and a busy machine adds pauses.
    const byHand = { delay: 120 }
    for (const number of ["RB400073511AU", "RB400073525AU"]) {
      await expect(page.getByRole("textbox", { name: "Scan the order" })).toBeFocused()
      const words = (await queue.first().textContent()) ?? ""
      await page.keyboard.type(/ord_\d+/.exec(words)?.[0] ?? "", byHand)
      await page.keyboard.press("Enter")
      await expect(page.getByRole("textbox", { name: "Scan the parcel" })).toBeFocused()
      await page.keyboard.type(number, byHand)
      await page.keyboard.press("Enter")
      await expect(page.getByText(number).first()).toBeVisible()
    }
    await expect(page.getByText("All saved")).toBeVisible()

    await next()
    await go()
    await page.getByRole("link", { name: "6 gift cards" }).click()
    const resume = page.getByRole("button", { name: "Resume" })
    const resumed = page.waitForResponse(/\/resume$/)
    await resume.click()
    // It runs until the fund refuses the first card, which may be too short to be seen.
    const job = (await resumed).url().replace(/\/resume$/, "")
    const state = () => page.evaluate(async (url) => (await (await fetch(url)).json()).data.state, job)
    await expect.poll(state).toBe("paused")
    await expect(resume).toBeEnabled()
    await expect(page.getByText("0 of 6").first()).toBeVisible()
    await tour.getByRole("button", { name: "Top up the fund" }).click()
    await resume.click()
    await expect(page.getByRole("main").locator("header").getByText("Done", { exact: true })).toBeVisible()

    await next()
    await go()
    await expect(page.getByText("Ana Silva").first()).toBeVisible()
    expect(new URL(page.url()).pathname).toBe("/laurel/leaderboards/lb_q4sprint/wall")
    await tour.getByRole("button", { name: "Finish" }).click()
    await expect(tour).toHaveCount(0)
  })

  test("a change survives a reload, is in the audit log, and is removed by a reset", async ({
    page,
    demo,
  }) => {
    await enter(page, demo.url)
    await openAna(page)
    await page.getByRole("link", { name: "Edit" }).first().click()
    await page.getByLabel("Company").fill("Coastal Climate & Sons")
    await page.getByLabel("Value of region").fill("Gympie")
    await page.getByRole("button", { name: /^Save/ }).click()
    await expect(facts(page).getByText("Coastal Climate & Sons")).toBeVisible()

    await page.reload()
    await expect(facts(page).getByText("Coastal Climate & Sons")).toBeVisible()
    await expect(facts(page).getByText("Gympie")).toBeVisible()
    await page.getByRole("link", { name: "Audit log" }).click()
    const entry = page.getByRole("row").filter({ hasText: "Edited a member" }).first()
    await expect(entry).toContainText("Ana Silva")

    await openPanel(page)
    await panel(page).getByRole("button", { name: "Reset", exact: true }).click()
    await panel(page).getByRole("button", { name: "Reset the demo" }).click()
    await expect(page.getByRole("heading", { name: "Sign in to Laurel" })).toBeVisible()
    await enter(page, demo.url)
    await openAna(page)
    await expect(facts(page).getByText("Coastal Climate Co")).toBeVisible()
    await page.getByRole("link", { name: "Audit log" }).click()
    await expect(page.getByRole("row").filter({ hasText: "Signed in" }).first()).toBeVisible()
    await expect(page.getByRole("row").filter({ hasText: "Edited a member" })).toHaveCount(0)
  })

  test("another role sees fewer fields, a hard reload gets its worker back, and a second tab waits for the first", async ({
    page,
    context,
    demo,
  }) => {
    await enter(page, demo.url)
    const emails = page.getByRole("table").getByText(/\S+@\S+\.\S+/)
    await expect(emails.first()).toBeVisible()
    await openPanel(page)
    await panel(page).getByRole("button", { name: "Fulfilment" }).click()
    await expect(page.getByText("Tom Whitlock").first()).toBeVisible()
    await expect(page.getByRole("table").getByRole("row").nth(1)).toBeVisible()
    await expect(emails).toHaveCount(0)
    await expect(page.getByRole("columnheader", { name: "E-mail" })).toHaveCount(0)

    await page.evaluate(() => document.body.setAttribute("data-before", ""))
    const tools = await context.newCDPSession(page)
    await tools.send("Page.reload", { ignoreCache: true })
    await expect(page.locator("body[data-before]")).toHaveCount(0)
    await expect(page.getByRole("table").getByRole("row").nth(1)).toBeVisible()
    expect(await page.evaluate(() => navigator.serviceWorker.controller !== null)).toBe(true)

    const second = await context.newPage()
    const complaints: string[] = []
    watch(second, complaints)
    await second.goto(`${demo.url}/audit`)
    await expect(second.getByRole("heading", { name: "The demo is open in another tab" })).toBeVisible()
    await page.close()
    await expect(heading(second, "Audit log")).toBeVisible()
    expect(complaints).toEqual([])
  })

  test("a service fault survives a reload and ends when switched off; with a full storage it still applies", async ({
    page,
    demo,
  }) => {
    await enter(page, demo.url)
    await openFaults(page)
    await panel(page)
      .getByRole("group", { name: "Program service responses" })
      .getByRole("switch", { name: /^Offline/ })
      .check()
    await page.keyboard.press("Escape")
    await expect(page.getByRole("button", { name: "Demo 1 fault is on" })).toBeFocused()
    await page.reload()
    // Members, orders and rewards come from the local copy.
    await page.getByRole("link", { name: "Leaderboards", exact: true }).click()
    await expect(
      page.getByText(/unreadable|could not be read|couldn’t (load|be reached)/i).first(),
    ).toBeVisible()
    await openPanel(page)
    await turnAllOff(page)
    await page.keyboard.press("Escape")
    await expect(panel(page)).toBeHidden()
    await page.reload()
    await expect(page.getByRole("table").getByRole("row").nth(1)).toBeVisible()

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
    await expect(tour.getByRole("heading", { name: "Find a member" })).toBeVisible()
    await findings.check("tour")
    await findings.checkOverflow("tour", true)
    expect(findings.all()).toEqual([])
  })

  test("on a phone the tour collapses, and covers no heading and nothing that a stop needs", async ({
    page,
    demo,
  }) => {
    const phone = { width: 390, height: 844 }
    const tablet = { width: 820, height: 1180 }
    await enter(page, demo.url)
    await openPanel(page)
    await panel(page).getByRole("button", { name: "Start the tour" }).click()
    const tour = page.getByRole("region", { name: "Demo" }).getByRole("region")
    const fold = tour.getByRole("button", { name: /^Stop \d of 6$/ })
    const go = tour.getByRole("button", { name: "Go there" })
    const next = tour.getByRole("button", { name: "Next stop" })
    const underTour = () =>
      page.evaluate(() => {
        const [bar, title] = ["[aria-labelledby=demo-tour-title]", "h1"].map((which) =>
          document.querySelector(which)?.getBoundingClientRect(),
        )
        return bar === undefined || title === undefined || title.top < bar.bottom
      })
    // A page that takes the focus on load collapses the tour again.
    const unfoldAnd = (press: () => Promise<void>) =>
      expect(async () => {
        if ((await fold.getAttribute("aria-expanded")) === "false") await fold.click()
        await press()
      }).toPass()
    for (const stop of [1, 2, 3, 4, 5, 6]) {
      await page.setViewportSize(phone)
      await unfoldAnd(() => go.click({ timeout: 2000 }))
      // Collapsed once the page has loaded.
      await expect(fold).toHaveAttribute("aria-expanded", "false")
      await expect(go).toBeHidden()
      await expect.poll(underTour).toBe(false)
      await page.setViewportSize({ width: 320, height: 640 })
      await expect.poll(underTour).toBe(false)
      await page.setViewportSize(phone)
      if (stop === 2) {
        const saving = page.waitForEvent("download")
        await unfoldAnd(() => tour.getByRole("button", { name: "Save the file" }).click({ timeout: 2000 }))
        await expect(fold).toHaveAttribute("aria-expanded", "false")
        const choosing = page.waitForEvent("filechooser")
        await page.getByRole("button", { name: "Choose a file" }).click()
        await (await choosing).setFiles(await (await saving).path())
        const award = page.getByRole("button", { name: "Award 1,050 points to 3 members" })
        const atItsEdge = { trial: true, position: { x: 8, y: 20 } }
        await award.click(atItsEdge)
        await page.setViewportSize(tablet)
        await fold.click()
        await award.click(atItsEdge)
        await page.setViewportSize({ width: 1440, height: 900 })
        await award.click(atItsEdge)
      }
      if (stop === 3) {
        await page.setViewportSize(tablet)
        await unfoldAnd(() => expect(next).toBeVisible({ timeout: 2000 }))
        const drawer = page.getByRole("dialog", { name: "Award points" })
        const send = drawer.getByRole("button", { name: /^Award/ })
        const [left, right] = [await tour.boundingBox(), await send.boundingBox()]
        expect((left?.x ?? 0) + (left?.width ?? 0)).toBeLessThanOrEqual(right?.x ?? 0)
      }
      await page.setViewportSize(phone)
      const isHere = async () => (await fold.textContent())?.includes(`Stop ${stop} of`) === true
      if (stop < 6)
        await unfoldAnd(async () => void ((await isHere()) && (await next.click({ timeout: 2000 }))))
    }
  })
})

test.describe("where the demo cannot run", () => {
  test.use({ serviceWorkers: "block" })

  test("a blocked service worker is explained", async ({ page, demo }) => {
    const findings = await inspectPages(page)
    await page.goto(`${demo.url}/`)
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
    await page.goto(`${demo.url}/`)
    await expect(page.getByText(/Allow cookies and site data/)).toBeVisible()
    await expect(page.getByRole("button", { name: "Try again" })).toBeVisible()
  })
})
