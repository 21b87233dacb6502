import { expect, type Page } from "@playwright/test"

/** One thing a person can look at: how to get there, and what shows that it is there. */
export interface Place {
  readonly name: string
  readonly path: string
  readonly open?: (page: Page) => Promise<void>
  readonly ready: (page: Page) => Promise<void>
}

const heading = (name: string | RegExp) => async (page: Page) => {
  await expect(page.getByRole("heading", { level: 1, name })).toBeVisible()
}

const dialog = async (page: Page) => {
  await expect(page.getByRole("dialog")).toBeVisible()
}

const table = async (page: Page) => {
  await expect(page.getByRole("table").getByRole("row").nth(1)).toBeVisible()
}

/** Every page and dialog of the desk; `member` is the id of one with a long ledger. */
export function placesOf(member: string): readonly Place[] {
  const at = `/members/${encodeURIComponent(member)}`
  return [
    { name: "members", path: "/members", ready: table },
    { name: "members, nothing found", path: "/members?search=zzzz", ready: heading("Members") },
    { name: "new member", path: "/members/new", ready: dialog },
    { name: "member, ledger", path: at, ready: table },
    { name: "member, details", path: `${at}/details`, ready: heading(/./) },
    { name: "member, notes", path: `${at}/notes`, ready: heading(/./) },
    { name: "edit member", path: `${at}/edit`, ready: dialog },
    { name: "deactivate member", path: `${at}/deactivate`, ready: dialog },
    { name: "delete member", path: `${at}/delete`, ready: dialog },
    { name: "member that is not there", path: "/members/mem_nobody", ready: heading(/./) },
    { name: "audit log", path: "/audit", ready: heading("Audit log") },
    { name: "users", path: "/settings/users", ready: table },
    { name: "new user", path: "/settings/users/new", ready: dialog },
    { name: "program", path: "/settings/program", ready: heading("Settings") },
    { name: "status", path: "/settings/status", ready: heading("Settings") },
    { name: "error codes", path: "/settings/errors", ready: heading("Settings") },
    { name: "about", path: "/settings/about", ready: heading("Settings") },
    { name: "no such page", path: "/nowhere", ready: heading(/./) },
    {
      name: "palette",
      path: "/members",
      open: async (page) => {
        await table(page)
        await page.keyboard.press("ControlOrMeta+k")
      },
      ready: dialog,
    },
    {
      name: "shortcuts",
      path: "/members",
      open: async (page) => {
        await table(page)
        await page
          .getByRole("button", { name: /shortcuts/i })
          .first()
          .click()
      },
      ready: dialog,
    },
  ]
}
