import { expect, type Locator, type Page } from "@playwright/test"
import { awardFile, plainRows, type AwardFile } from "./award-file.ts"
import { enter, test, watch } from "./app.ts"
import { readMemberIds } from "./members.ts"

test.describe("an award file", () => {
  test("survives a reload and a closed tab as a draft, and is removed by signing out", async ({
    page,
    context,
    builtIn,
  }) => {
    await enter(page, builtIn.url, "manager", "/members")
    const ids = await readMemberIds(page, 8)
    const rows = [...plainRows(ids, "October volume tier"), ["", "750", "October volume tier"]] as const
    await openFile(page, builtIn.url, awardFile("october.csv", rows))
    await expect(panelOf(page).getByText("1 with an error", { exact: true })).toBeVisible()
    const points = page.getByRole("grid").locator("[data-cell='0:2']")
    await points.dblclick()
    await page.keyboard.press("ControlOrMeta+a")
    await page.keyboard.type("955")
    await page.keyboard.press("Enter")
    await expect(points).toHaveText("955")
    const effect = (await actionOf(page).textContent()) ?? ""
    expect(effect).toMatch(/^Award [\d,]+ points to 8 members/)
    await expect.poll(() => isStored(page, "955")).toBe(true)

    await page.reload()
    await expect(actionOf(page)).toHaveText(effect)
    await expect(page.getByText(/^Draft from .* restored$/)).toBeVisible()

    const next = await context.newPage()
    const complaints: string[] = []
    watch(next, complaints)
    await page.close()
    await next.goto(builtIn.url + address)
    await expect(actionOf(next)).toHaveText(effect)
    await expect(next.getByRole("grid").locator("[data-cell='0:2']")).toHaveText("955")

    await next.getByRole("button", { name: /Your menu/ }).click()
    await next.getByRole("menuitem", { name: "Sign out" }).click()
    await expect(next.getByText(/^Not imported yet: october\.csv\./)).toBeVisible()
    await next.getByRole("menuitem", { name: "Stay signed in" }).click()
    await expect(next.getByText(/^Not imported yet/)).toHaveCount(0)
    await next.getByRole("menuitem", { name: "Sign out" }).click()
    await next.getByRole("menuitem", { name: "Sign out and remove it" }).click()
    await expect(next.getByRole("heading", { name: "Sign in to Laurel" })).toBeVisible()
    expect(await isStored(next, "955")).toBe(false)
    await enter(next, builtIn.url, "manager", address)
    await expect(next.getByRole("button", { name: "Choose a file" })).toBeVisible()
    expect(complaints).toEqual([])
  })
})

const address = "/members/points-file?kind=award"

/** Opens the award import with a file. */
async function openFile(page: Page, url: string, file: AwardFile): Promise<void> {
  await page.goto(url + address)
  const choosing = page.waitForEvent("filechooser")
  await page.getByRole("button", { name: "Choose a file" }).click()
  await (await choosing).setFiles(file)
  await expect(page.getByRole("grid")).toBeVisible()
}

function panelOf(page: Page): Locator {
  return page.getByRole("complementary", { name: "What will happen" })
}

function actionOf(page: Page): Locator {
  return panelOf(page).getByRole("button", { name: /^Award .* points to/ })
}

/** Whether a stored draft contains a text. */
function isStored(page: Page, text: string): Promise<boolean> {
  return page.evaluate(async (wanted) => {
    const ended = <T>(request: IDBRequest<T>): Promise<T> =>
      new Promise((resolve, reject) => {
        request.addEventListener("success", () => resolve(request.result))
        request.addEventListener("error", () => reject(new Error("IndexedDB did not answer.")))
      })
    const db = await ended(indexedDB.open("laurel-import"))
    const drafts: unknown = await ended(db.transaction("drafts").objectStore("drafts").getAll())
    db.close()
    // JSON.stringify drops the entries of a Map.
    const written = (_key: string, value: unknown) => (value instanceof Map ? [...value] : value)
    return JSON.stringify(drafts, written).includes(wanted)
  }, text)
}
