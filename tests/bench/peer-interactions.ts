import type { Page } from "@playwright/test"
import type { Interaction } from "./interactions.ts"

const rows = "tbody tr"
const menu = (name: string) => `a[role=menuitem]:has-text("${name}")`

async function toList(page: Page, name = "Members"): Promise<void> {
  await page.locator(menu(name)).click()
  await page.getByRole("heading", { level: 6, name, exact: true }).waitFor()
  await page.locator(rows).first().waitFor()
}

/** All members from their first page, whatever was searched for before. */
async function toFirstPage(page: Page): Promise<void> {
  await toList(page)
  await page.evaluate(() => {
    location.hash = "#/members?filter=%7B%7D&order=ASC&page=1&perPage=25&sort=id"
  })
  await page.waitForTimeout(500)
  await page.locator(rows).nth(24).waitFor()
}

/** What Laurel's interactions are compared with: the same ones at the peer, by the same names. */
export const peerInteractions: readonly Interaction[] = [
  {
    name: "members to orders, warm",
    prepare: (page) => toList(page),
    on: menu("Orders"),
    done: () => document.querySelector("tbody tr td.column-reward_name") !== null,
  },
  {
    name: "orders to members, warm",
    prepare: (page) => toList(page, "Orders"),
    on: menu("Members"),
    done: () => document.querySelector("tbody tr td.column-tier") !== null,
  },
  {
    name: "open a member",
    prepare: toFirstPage,
    on: "tbody tr td.column-tier",
    done: () => document.querySelector("[role=tab]") !== null,
  },
  {
    name: "next page",
    prepare: async (page, { turn }) => {
      if (turn === 0) await toFirstPage(page)
    },
    on: "button[aria-label='Go to next page']",
    done: (first) => {
      const row = document.querySelector("tbody tr")
      return row !== null && row.textContent !== first
    },
  },
  {
    name: "ledger tab",
    prepare: async (page) => {
      await toFirstPage(page)
      await page.locator("tbody tr td.column-tier").first().click()
      await page.getByRole("tab", { name: "Details" }).waitFor()
    },
    on: "[role=tab]:has-text('Ledger')",
    done: () => document.querySelector("td.column-balance_after") !== null,
  },
  {
    name: "search, last key to rows",
    prepare: async (page, { text }) => {
      await toFirstPage(page)
      await page.getByPlaceholder("Name or e-mail").pressSequentially(text.slice(0, -1))
      await page.waitForTimeout(1500)
    },
    on: "input[placeholder='Name or e-mail']",
    key: ({ text }) => text.at(-1) ?? "",
    done: () => {
      const text =
        document.querySelector<HTMLInputElement>("input[placeholder='Name or e-mail']")?.value ?? ""
      const asked = performance
        .getEntriesByType("resource")
        .some(({ name }) => new URL(name).searchParams.get("search") === text)
      return asked && document.querySelector("tbody tr, .RaList-noResults") !== null
    },
  },
]
