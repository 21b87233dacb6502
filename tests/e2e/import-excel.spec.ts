import { readFile } from "node:fs/promises"
import { expect } from "@playwright/test"
import { readWorkbook } from "../../src/import/excel/workbook.ts"
import { textRow, workbookFile } from "../support/import/workbook-file.ts"
import { enter, test } from "./app.ts"
import { readMemberIds } from "./members.ts"

test("an Excel file asks for its sheet, and what is left out is downloaded as Excel", async ({
  page,
  builtIn,
}) => {
  await enter(page, builtIn.url, "manager", "/members")
  const [first = "", second = ""] = await readMemberIds(page, 2)
  const names = textRow("member_id", "points", "reason")
  const rows =
    `<row><c t="inlineStr"><is><t>${first}</t></is></c><c s="1"><v>1250</v></c><c t="str"><v>Bonus</v></c></row>` +
    textRow("0012345", "many", "=1+1") +
    textRow(second, "900", "Bonus").replace("<row>", '<row hidden="1">')
  const file = await workbookFile({ sheets: { May: names, June: names + rows }, formats: [0, "#,##0"] })
  await page.goto(`${builtIn.url}/members/points-file?kind=award`)
  const choosing = page.waitForEvent("filechooser")
  await page.getByRole("button", { name: "Choose a file" }).click()
  const buffer = Buffer.from(await file.arrayBuffer())
  await (await choosing).setFiles({ name: "awards.xlsx", mimeType: file.type, buffer })
  await page.getByRole("button", { name: "June" }).click()

  const panel = page.getByRole("complementary", { name: "What will happen" })
  await expect(panel.getByRole("button", { name: "Award 1,250 points to 1 member" })).toBeVisible()
  await expect(page.getByText("1 hidden row is left out.")).toBeVisible()
  const downloading = page.waitForEvent("download")
  await panel.getByRole("button", { name: "Download it" }).click()
  const download = await downloading
  expect(download.suggestedFilename()).toBe("awards left out.xlsx")
  const saved = new Blob([await readFile(await download.path())])
  const { rows: leftOut } = await readWorkbook(saved, {}, () => {})
  expect(leftOut[1]?.slice(0, 4)).toEqual(["3", "0012345", "many", "=1+1"])

  await page.getByRole("button", { name: "Read too" }).click()
  await expect(panel.getByRole("button", { name: "Award 2,150 points to 2 members" })).toBeVisible()
})
