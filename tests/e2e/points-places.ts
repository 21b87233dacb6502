import { expect, type Page } from "@playwright/test"
import { awardFile, plainRows } from "./award-file.ts"
import { heading, dialog, press, table, type Place } from "./places.ts"
import type { TroubledJobs } from "./troubled-jobs.ts"

const grid = async (page: Page) => {
  await expect(page.getByRole("grid").getByRole("row").nth(1)).toBeVisible()
}

/** The pages, drawers and dialogs of awards and jobs, with failures. */
export function pointsPlacesOf(jobs: TroubledJobs): readonly Place[] {
  const [ana = "", bec = "", cy = ""] = jobs.memberIds
  const mixed = `/jobs/${jobs.mixed}`
  const outcome = (job: string) => `/members?act=award&for=${ana}&outcome=${job}`
  return [
    // First, because unknown rows go to a person after a while.
    { name: "award not known", path: outcome(jobs.oneUnknown), ready: dialogText("Outcome not known yet") },
    { name: "job, an unknown row", path: `${mixed}?row=${jobs.unknownRow}`, ready: panel },
    { name: "award, choose a member", path: "/members?act=award", ready: dialog },
    { name: "award one", path: `/members/${ana}?act=award&for=${ana}`, ready: dialogWith("Points") },
    {
      name: "award three",
      path: `/members?act=award&for=${list([ana, bec, cy])}`,
      ready: dialogWith("Points"),
    },
    { name: "deduct one", path: `/members/${ana}?act=deduct&for=${ana}`, ready: dialogWith("Points") },
    {
      name: "award refused",
      path: `/members?act=award&for=${ana}`,
      ready: dialogWith("Points"),
      open: refuse,
    },
    { name: "award confirmed", path: outcome(jobs.one), ready: dialogText("Done") },
    {
      name: "awards of many",
      path: outcome(jobs.mixed),
      ready: dialogText(/need a decision|needs? a decision/),
    },
    { name: "award from a file", path: file("award"), ready: intake },
    {
      name: "award from a file, rows",
      path: file("award"),
      ready: intake,
      open: rowsWithSlips(jobs.memberIds),
    },
    { name: "deduct from a file", path: file("deduct"), ready: intake },
    { name: "import members", path: "/members/import", ready: intake },
    { name: "change members", path: "/members/change", ready: intake },
    { name: "jobs", path: "/jobs", ready: table },
    { name: "job", path: mixed, ready: table },
    { name: "job, failed rows", path: `${mixed}?state=failed`, ready: table },
    { name: "job, a row to decide", path: `${mixed}?row=${jobs.conflictRow}`, ready: choices },
    { name: "job, a failed row", path: `${mixed}?row=${jobs.failedRow}`, ready: panel },
    { name: "job, fix the failed", path: `${mixed}?open=fix`, ready: grid },
    { name: "job, cancel the rest", path: `/jobs/${jobs.paused}?open=cancel`, ready: dialog },
    { name: "job, paused", path: `/jobs/${jobs.paused}`, ready: table },
    { name: "job, reverse", path: `/jobs/${jobs.done}?open=reverse`, ready: dialogText(/^Reverse/) },
    { name: "job, results", path: `${mixed}?open=results`, ready: dialog },
    { name: "job that is not there", path: "/jobs/J-9999", ready: heading(/./) },
    { name: "from a file, choices", path: "/members", ready: table, open: fileChoices },
    { name: "export members", path: "/members", ready: table, open: press(/^Export/) },
  ]
}

async function fileChoices(page: Page): Promise<void> {
  await page.getByRole("button", { name: "Import" }).click()
  await expect(page.getByRole("link", { name: "Add members" })).toBeVisible()
}

function file(kind: "award" | "deduct"): string {
  return `/members/points-file?kind=${kind}`
}

function list(ids: readonly string[]): string {
  return encodeURIComponent(JSON.stringify(ids))
}

/** Waits for a drawer with a field. */
function dialogWith(label: string) {
  return async (page: Page) => {
    await expect(page.getByRole("dialog").getByLabel(label, { exact: true })).toBeVisible()
  }
}

/** Waits for a text in a drawer or dialog. */
function dialogText(words: string | RegExp) {
  return async (page: Page) => {
    await expect(page.getByRole("dialog").getByText(words).first()).toBeVisible()
  }
}

async function refuse(page: Page): Promise<void> {
  await page
    .getByRole("dialog")
    .getByRole("button", { name: /^Award points/ })
    .click()
  await expect(page.locator("[aria-invalid=true]").first()).toBeVisible()
}

async function panel(page: Page): Promise<void> {
  await expect(page.getByRole("heading", { level: 2 }).first()).toBeVisible()
}

async function choices(page: Page): Promise<void> {
  await expect(page.getByRole("group", { name: /What happened/ })).toBeVisible()
}

/** Waits for an empty import page; discards an earlier draft. */
async function intake(page: Page): Promise<void> {
  const choose = page.getByRole("button", { name: "Choose a file" })
  const discard = page.getByRole("button", { name: "Discard draft" })
  await expect(choose.or(discard)).toBeVisible()
  if (await discard.isVisible()) await discard.click()
  await expect(choose).toBeVisible()
}

/** Opens a file with typical errors: a bad amount, no reason, no member, an outlier, a duplicate. */
function rowsWithSlips(ids: readonly string[]) {
  return async (page: Page) => {
    const rows = plainRows(ids.slice(0, 30), "Q3 installer bonus")
    const [twin = rows[0]] = rows
    const slips = [
      [ids[30] ?? "", "12500", "Q3 installer bonus"],
      [ids[31] ?? "", "1000.5", "Q3 installer bonus"],
      [ids[32] ?? "", "900", ""],
      ["", "750", "Q3 installer bonus"],
    ] as const
    const all = [...rows.slice(0, 2), ...slips, ...(twin === undefined ? [] : [twin]), ...rows.slice(2)]
    const choosing = page.waitForEvent("filechooser")
    await page.getByRole("button", { name: "Choose a file" }).click()
    await (await choosing).setFiles(awardFile("q3-installer-bonus.csv", all))
    await expect(page.getByRole("grid").getByText(/times the usual/)).toBeVisible()
  }
}
