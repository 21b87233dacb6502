import { expect } from "@playwright/test"
import * as z from "zod"
import { enter, test } from "./app.ts"
import { countEffort } from "./effort.ts"
import { inspectPages } from "./inspect-pages.ts"
import { reportMeasurement } from "./report-measurement.ts"

const list = z.object({ meta: z.object({ total: z.number() }) })
const people = z.object({ data: z.array(z.object({ id: z.string(), phone: z.string() })) })

test.describe("members by company", () => {
  test("are found with ⌘K by company or phone, in at most 8 keys", async ({
    page,
    companies: { url },
  }, info) => {
    await enter(page, url, "manager")
    const answer = await page.request.get(`${url}/api/members?search=kieran+doyle`)
    const [kieran] = people.parse(await answer.json()).data
    const effort = await countEffort(page)
    for (const [how, text, found] of [
      ["company", "geelon", /Geelong/],
      ["phone", kieran?.phone.replaceAll(/\D/g, "").slice(-6) ?? "", /Murray River Climate/],
    ] as const) {
      await page.goto(`${url}/members`)
      await expect(page.getByRole("table").getByRole("row").nth(9)).toBeVisible()
      await effort.take()
      await page.keyboard.press("ControlOrMeta+k")
      await page.keyboard.type(text)
      await page.keyboard.press("Enter")
      const facts = page.getByRole("complementary", { name: "Facts" })
      await expect(facts.getByRole("link", { name: found })).toBeVisible()
      const { clicks, keys } = await effort.take()
      reportMeasurement(info, `find by ${how}: ${clicks.length} c + ${keys.length} k`)
      expect(clicks).toEqual([])
      expect(keys.length, how).toBeLessThanOrEqual(8)
    }
    await page.getByRole("link", { name: "Murray River Climate" }).click()
    await expect(page.getByRole("heading", { level: 1, name: "Murray River Climate" })).toBeVisible()
  })

  test("and of a saved view are awarded points in at most 6 clicks", async ({
    page,
    companies: { url },
  }, info) => {
    await enter(page, url, "manager")
    const view = {
      list: "members",
      name: "Platinum",
      shared: true,
      search: { tier: "Platinum", status: "active" },
      columns: { shown: {}, order: [], widths: {} },
    }
    const saved = await page.request.put(`${url}/api/views/platinum`, {
      headers: { "X-Laurel": "1" },
      data: view,
    })
    expect(saved.status()).toBe(200)
    const filter = `${url}/api/members?tier=Platinum&status=active`
    const { total } = list.parse(await (await page.request.get(filter)).json()).meta
    const effort = await countEffort(page)
    await page.goto(`${url}/members`)
    await expect(page.getByRole("table").getByRole("row").nth(9)).toBeVisible()
    await effort.take()
    await page.getByRole("button", { name: "Views" }).click()
    await page
      .getByRole("dialog", { name: "Views" })
      .getByRole("button", { name: /^Platinum/ })
      .click()
    await page.getByRole("button", { name: "View: Platinum" }).click()
    await page.getByRole("link", { name: "Award points", exact: true }).click()
    await expect(page.getByText(new RegExp(`^${total} members of “Platinum”, synced`))).toBeVisible()
    await page.getByRole("textbox", { name: "Points for all rows" }).click()
    await page.keyboard.type("50")
    await page.keyboard.press("Tab")
    await page.keyboard.type("Trade night")
    await page.keyboard.press("Tab")
    const sum = (50 * total).toLocaleString("en-AU")
    await page.getByRole("button", { name: `Award ${sum} points to ${total} members` }).click()
    await expect(page).toHaveURL(/\/jobs\//)
    const { clicks, keys } = await effort.take()
    reportMeasurement(info, `award to a saved view: ${clicks.length} c + ${keys.length} k`)
    expect(clicks.length, clicks.join("; ")).toBeLessThanOrEqual(6)
  })

  test("have pages without an accessibility violation or overflow", async ({ page, companies: { url } }) => {
    const findings = await inspectPages(page)
    await enter(page, url, "manager")
    for (const [name, path, ready] of [
      ["companies", "/companies", "Companies"],
      ["company", "/companies/Murray%20River%20Climate", "Murray River Climate"],
      [
        "award to a company",
        "/members/points-file?kind=award&company=Coastal+Climate+Co",
        "Award to members",
      ],
    ] as const) {
      await page.goto(url + path)
      await expect(page.getByRole("heading", { level: 1, name: ready })).toBeVisible()
      await expect(page.getByRole("table").or(page.getByRole("grid")).getByRole("row").nth(1)).toBeVisible()
      await findings.check(name)
      await findings.checkOverflow(name, true)
    }
    expect(findings.all()).toEqual([])
  })
})
