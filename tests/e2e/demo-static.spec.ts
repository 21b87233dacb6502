import { test as base, expect, type Page } from "@playwright/test"
import { serveDemo } from "../../scripts/demo.ts"
import { watch } from "./app.ts"

/** The demo below a path of a plain file server, which answers unknown addresses with 404.html and nothing else. */
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

const heading = (page: Page, name: string) => page.getByRole("heading", { level: 1, name, exact: true })

for (const below of ["/", "/laurel/"]) {
  test.describe(`the demo as a static site at ${below}`, () => {
    test.use({ below })

    test("starts cold without a single line of error", async ({ page, site }) => {
      const errors: string[] = []
      page.on("console", (message) => message.type() === "error" && errors.push(message.text()))
      await page.goto(`${site}/`)
      await page.getByRole("button", { name: /Administrator/ }).click()
      await expect(heading(page, "Today")).toBeVisible()
      await expect(page.getByText(/requests to refresh/)).toBeVisible()
      expect(errors).toEqual([])
      expect(await page.evaluate(() => navigator.serviceWorker.controller?.scriptURL)).toBe(
        `${site}/mockServiceWorker.js`,
      )
    })

    test("finds the page of a link from elsewhere, before and after signing in", async ({ page, site }) => {
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

    test("gives a link to set a password that opens here", async ({ page, site }) => {
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
}
