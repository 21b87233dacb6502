import { test as base, expect, type Page } from "@playwright/test"
import { serveDemo } from "../../scripts/demo.ts"
import { watch } from "./app.ts"

/** The demo on a static file server, which serves 404.html for unknown paths. */
const test = base.extend<{ below: string; site: string }>({
  below: ["/", { option: true }],
  site: async ({ below, context, page }, run) => {
    const served = await serveDemo("127.0.0.1", 0, below)
    const wrong: string[] = []
    context.on("request", (request) => {
      const url = request.url()
      if (!url.startsWith(`${served.url}/`) && !url.startsWith("data:")) wrong.push(url)
    })
    watch(page, wrong)
    await run(served.url)
    expect(wrong).toEqual([])
    await served.close()
  },
})

test.use({ serviceWorkers: "allow" })

const heading = (page: Page, name: string) => page.getByRole("heading", { level: 1, name, exact: true })

test.describe("the guided tour under a path", () => {
  test.use({ below: "/laurel/" })

  test("leads through its six stops and resumes at the stop where it was left", async ({ page, site }) => {
    const go = () => tour.getByRole("button", { name: "Go there" }).click()
    const next = () => tour.getByRole("button", { name: "Next stop" }).click()
    const stop = (title: string) => tour.getByRole("heading", { name: title })
    const demo = page.getByRole("region", { name: "Demo" })
    const tour = demo.getByRole("region")
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
    await page.getByRole("button", { name: "Resume" }).click()
    await expect(page.getByText("0 of 6").first()).toBeVisible()
    await tour.getByRole("button", { name: "Top up the fund" }).click()
    await page.getByRole("button", { name: "Resume" }).click()
    await expect(page.getByRole("main").locator("header").getByText("Done", { exact: true })).toBeVisible()

    await next()
    await go()
    await expect(page.getByText("Ana Silva").first()).toBeVisible()
    expect(new URL(page.url()).pathname).toBe("/laurel/leaderboards/lb_q4sprint/wall")
    await tour.getByRole("button", { name: "Finish" }).click()
    await expect(tour).toHaveCount(0)
  })

  test("can be left at each stop, which removes the stop's fault, and resumes there", async ({
    page,
    site,
  }) => {
    const demo = page.getByRole("region", { name: "Demo" })
    const tour = demo.getByRole("region")
    const calm = page.getByRole("button", { name: "Demo Nothing leaves this browser" })
    await page.goto(`${site}/`)
    await page.getByRole("button", { name: /Administrator/ }).click()
    await calm.click()
    await page.getByRole("button", { name: "Start the tour" }).click()
    for (const stop of [1, 2, 3, 4, 5, 6]) {
      await expect(tour.getByRole("button", { name: `Stop ${stop} of 6` })).toBeVisible()
      await tour.getByRole("button", { name: "Go there" }).click()
      if (stop === 3 || stop === 5)
        await expect(page.getByRole("button", { name: "Demo 1 fault is on" })).toBeVisible()
      await tour.getByRole("button", { name: "Leave the tour" }).click()
      await expect(tour).toHaveCount(0)
      // The wall display hides everything else.
      if (stop === 6) {
        await expect(calm).toBeHidden()
        await page.keyboard.press("Escape")
      }
      await calm.click()
      await page
        .getByRole("button", { name: stop === 1 ? "Start the tour" : `Continue at stop ${stop}` })
        .click()
      if (stop < 6) await tour.getByRole("button", { name: "Next stop" }).click()
    }
  })

  test("collapses on a phone when the page is used, and covers nothing that a stop needs", async ({
    page,
    site,
  }) => {
    await page.setViewportSize({ width: 390, height: 844 })
    const tour = page.getByRole("region", { name: "Demo" }).getByRole("region")
    const fold = tour.getByRole("button", { name: /^Stop \d of 6$/ })
    const next = tour.getByRole("button", { name: "Next stop" })
    await page.goto(`${site}/`)
    await page.getByRole("button", { name: /Administrator/ }).click()
    await page.getByRole("button", { name: /^Demo/ }).click()
    await page.getByRole("button", { name: "Start the tour" }).click()
    await expect(fold).toHaveAttribute("aria-expanded", "true")
    await heading(page, "Today").click()
    await expect(fold).toHaveAttribute("aria-expanded", "false")
    await expect(next).toBeHidden()
    await fold.click()
    await next.click()
    const saving = page.waitForEvent("download")
    await tour.getByRole("button", { name: "Save the file" }).click()
    await expect(fold).toHaveAttribute("aria-expanded", "false")
    const choosing = page.waitForEvent("filechooser")
    await page.getByRole("button", { name: "Choose a file" }).click()
    await (await choosing).setFiles(await (await saving).path())
    const atItsEdge = { trial: true, position: { x: 8, y: 20 } }
    const award = page.getByRole("button", { name: "Award 1,050 points to 3 members" })
    await award.click(atItsEdge)
    await page.setViewportSize({ width: 820, height: 1180 })
    await fold.click()
    await award.click(atItsEdge)
    await page.setViewportSize({ width: 1440, height: 900 })
    await award.click(atItsEdge)
    await page.setViewportSize({ width: 390, height: 844 })
    await next.click()
    await tour.getByRole("button", { name: "Go there" }).click()
    await page
      .getByRole("dialog", { name: "Award points" })
      .getByRole("button", { name: "100", exact: true })
      .click()
    await expect(fold).toHaveAttribute("aria-expanded", "false")
    await fold.click()
    // On a tablet it does not cover the drawer's button.
    await page.setViewportSize({ width: 820, height: 1180 })
    const send = page.getByRole("dialog", { name: "Award points" }).getByRole("button", { name: /^Award/ })
    const [left, right] = [await tour.boundingBox(), await send.boundingBox()]
    expect((left?.x ?? 0) + (left?.width ?? 0)).toBeLessThanOrEqual(right?.x ?? 0)
    await tour.getByRole("button", { name: "Leave the tour" }).click()
    await expect(tour).toHaveCount(0)
  })
})

test.describe("the demo as a static site under a path", () => {
  test.use({ below: "/laurel/" })

  test("starts without console errors", async ({ page, site }) => {
    const errors: string[] = []
    page.on("console", (message) => message.type() === "error" && errors.push(message.text()))
    await page.goto(`${site}/`)
    await page.getByRole("button", { name: /Administrator/ }).click()
    await expect(heading(page, "Today")).toBeVisible()
    await expect(page.getByText(/^Updated/)).toBeVisible()
    expect(errors).toEqual([])
    expect(await page.evaluate(() => navigator.serviceWorker.controller?.scriptURL)).toBe(
      `${site}/mockServiceWorker.js`,
    )
  })

  test("explains a file that failed to load", async ({ context, site }) => {
    const page = await context.newPage()
    for (const file of ["react", "start", "router"]) {
      await page.route(new RegExp(`/assets/${file}-[^/]*\\.js$`), (route) => route.abort())
    }
    await page.goto(`${site}/`)
    await expect(page.getByRole("alert")).toContainText("one of its files didn’t arrive. Nothing was lost.")
    await expect(page.getByRole("button", { name: "Reload" })).toBeFocused()
    await page.unrouteAll()
    await page.keyboard.press("Enter")
    await expect(page.getByRole("button", { name: /Administrator/ })).toBeVisible()
  })

  test("opens deep links before and after signing in", async ({ page, site }) => {
    await page.goto(`${site}/orders?status=shipped`)
    await page.getByRole("button", { name: /Administrator/ }).click()
    await expect(heading(page, "Orders")).toBeVisible()
    expect(page.url()).toBe(`${site}/orders?status=shipped`)
    await page.goto(`${site}/members/mem_8Fq2Lx41`)
    await expect(heading(page, "Ana Silva")).toBeVisible()
    await page.reload()
    await expect(heading(page, "Ana Silva")).toBeVisible()
    expect(page.url()).toBe(`${site}/members/mem_8Fq2Lx41`)
    await page.getByRole("link", { name: "Orders" }).first().click()
    await expect(heading(page, "Orders")).toBeVisible()
    expect(page.url()).toBe(`${site}/orders`)
    await page.goBack()
    await expect(heading(page, "Ana Silva")).toBeVisible()
    await page.goto(`${site}/no/such/page`)
    await expect(heading(page, "Page not found")).toBeVisible()
    expect(page.url()).toBe(`${site}/no/such/page`)
  })

  test("creates a working link to set a password", async ({ page, site }) => {
    await page.goto(`${site}/settings/users`)
    await page.getByRole("button", { name: /Administrator/ }).click()
    await page.getByRole("link", { name: "New user" }).click()
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
})
