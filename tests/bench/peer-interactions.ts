import type { Page } from "@playwright/test"
import type { Interaction } from "./interactions.ts"

const rows = "tbody tr"
const searchField = "Name or e-mail"
const menu = (name: string) => `a[role=menuitem]:has-text("${name}")`

async function toList(page: Page, name = "Members"): Promise<void> {
  await page.locator(menu(name)).click()
  await page.getByRole("heading", { level: 6, name, exact: true }).waitFor()
  await page.locator(rows).first().waitFor()
}

/** A page of all members, without an earlier search. */
async function toPage(page: Page, number = 1): Promise<void> {
  await toList(page)
  // The field would search for its text again.
  await page.getByPlaceholder(searchField).fill("")
  await page.waitForTimeout(500)
  await page.evaluate((at) => {
    location.hash = `#/members?filter=%7B%7D&order=ASC&page=${at}&perPage=25&sort=id`
  }, number)
  await page.waitForTimeout(500)
  await page.locator(rows).nth(24).waitFor()
}

/** The same interactions at the peer, by the same names. */
export const peerInteractions: readonly Interaction[] = [
  {
    name: "members to orders, warm",
    prepare: async (page) => {
      await toList(page, "Orders")
      await toList(page)
    },
    on: menu("Orders"),
    done: () => document.querySelector("tbody tr td.column-reward_name") !== null,
  },
  {
    name: "orders to members, warm",
    prepare: async (page) => {
      await toList(page)
      await toList(page, "Orders")
    },
    on: menu("Members"),
    done: () => document.querySelector("tbody tr td.column-tier") !== null,
  },
  {
    name: "open a member",
    prepare: (page) => toPage(page),
    on: "tbody tr td.column-tier",
    done: () => document.querySelector("[role=tab]") !== null,
  },
  {
    name: "next page",
    prepare: (page, { slower, turn }) => toPage(page, slower * 10 + turn * 2),
    on: "button[aria-label='Go to next page']",
    done: (first) => {
      const row = document.querySelector("tbody tr")
      return row !== null && row.textContent !== first
    },
  },
  {
    name: "ledger tab",
    prepare: async (page) => {
      await toPage(page)
      await page.locator("tbody tr td.column-tier").first().click()
      await page.getByRole("tab", { name: "Details" }).waitFor()
    },
    on: "[role=tab]:has-text('Ledger')",
    done: () => document.querySelector("td.column-balance_after") !== null,
  },
  {
    name: "search, last key to rows",
    prepare: async (page, { text }) => {
      await toPage(page)
      await page.getByPlaceholder(searchField).pressSequentially(text.slice(0, -1))
      await page.waitForTimeout(1500)
    },
    on: `input[placeholder='${searchField}']`,
    key: ({ text }) => text.at(-1) ?? "",
    done: (_first, _busy, requests) => {
      const text =
        document.querySelector<HTMLInputElement>("input[placeholder='Name or e-mail']")?.value ?? ""
      const isRequested = requests.some((name) => new URL(name).searchParams.get("search") === text)
      return isRequested && document.querySelector("tbody tr, .RaList-noResults") !== null
    },
  },
]
