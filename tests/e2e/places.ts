import { expect, type Page } from "@playwright/test"

/** A page or panel: how to open it, and what shows that it is loaded. */
export interface Place {
  readonly name: string
  /** With `{name}` for a record id. */
  readonly path: string
  /** Waits until the page is loaded. */
  readonly ready: (page: Page) => Promise<void>
  /** Opens something over the page. */
  readonly open?: (page: Page) => Promise<void>
}

export const heading = (name: string | RegExp) => async (page: Page) => {
  await expect(page.getByRole("heading", { level: 1, name })).toBeVisible()
}

export const dialog = async (page: Page) => {
  await expect(page.getByRole("dialog")).toBeVisible()
}

export const table = async (page: Page) => {
  await expect(page.getByRole("table").getByRole("row").nth(1)).toBeVisible()
}

/** Presses a button and waits for what it opens. */
export const press =
  (name: string | RegExp, role: "dialog" | "menu" = "dialog") =>
  async (page: Page) => {
    await page.getByRole("button", { name }).first().click()
    await expect(page.getByRole(role)).toBeVisible()
  }

const selectTwo = async (page: Page) => {
  await page.getByRole("table").getByRole("checkbox").nth(1).check()
  await page.getByRole("table").getByRole("checkbox").nth(2).check()
  await expect(page.getByRole("region", { name: "Selected rows" })).toBeVisible()
}

/** Pages of Laurel; `programPages` has the rest. `{member}` has a long ledger. */
export const pages: readonly Place[] = [
  { name: "members", path: "/members", ready: table },
  {
    name: "members, filtered",
    path: "/members?status=inactive&tier=Gold&search=a",
    ready: heading("Members"),
  },
  { name: "members, nothing found", path: "/members?search=zzzz", ready: heading("Members") },
  { name: "new member", path: "/members/new", ready: dialog },
  { name: "issue a card", path: "/cards/issue", ready: dialog },
  { name: "issue cards from a file", path: "/cards/issue-file", ready: heading("Issue from a file") },
  { name: "gift-card settings", path: "/settings/gift-cards", ready: table },
  {
    name: "gift-card settings, a template",
    path: "/settings/gift-cards?open=edit&template=card_tradevisa",
    ready: table,
  },
  { name: "member, ledger", path: "/members/{member}", ready: table },
  { name: "member, details", path: "/members/{member}/details", ready: heading(/./) },
  { name: "member, notes", path: "/members/{member}/notes", ready: heading(/./) },
  { name: "edit member", path: "/members/{member}/edit", ready: dialog },
  { name: "deactivate member", path: "/members/{member}/deactivate", ready: dialog },
  { name: "delete member", path: "/members/{member}/delete", ready: dialog },
  { name: "member that is not there", path: "/members/mem_nobody", ready: heading(/./) },
  { name: "audit log", path: "/audit", ready: table },
  { name: "users", path: "/settings/users", ready: table },
  { name: "new user", path: "/settings/users/new", ready: dialog },
  { name: "program", path: "/settings/program", ready: heading("Settings") },
  { name: "data settings", path: "/settings/data", ready: heading("Settings") },
  { name: "status", path: "/settings/status", ready: heading("Settings") },
  { name: "own sessions", path: "/settings/sessions", ready: table },
  { name: "error codes", path: "/settings/errors", ready: heading("Settings") },
  { name: "about", path: "/settings/about", ready: heading("Settings") },
  { name: "no such page", path: "/nowhere", ready: heading(/./) },
]

/** Panels that open by a button or a key, on a wide window. */
export const panels: readonly Place[] = [
  {
    name: "palette",
    path: "/members",
    ready: table,
    open: async (page) => {
      await page.keyboard.press("ControlOrMeta+k")
      await page.keyboard.type("ana")
      await expect(page.getByRole("listbox").getByRole("option").first()).toBeVisible()
    },
  },
  {
    name: "palette, a member's actions",
    path: "/members",
    ready: table,
    open: async (page) => {
      await page.keyboard.press("ControlOrMeta+k")
      await page.keyboard.type("ana si")
      await expect(page.getByRole("option", { name: /^Ana Silva/ })).toBeVisible()
      await page.keyboard.press("ArrowRight")
      await expect(page.getByRole("combobox", { name: "Actions for Ana Silva" })).toBeVisible()
    },
  },
  { name: "shortcuts", path: "/members", ready: table, open: press("Keyboard shortcuts") },
  { name: "your menu", path: "/members", ready: table, open: press(/Your menu/, "menu") },
  { name: "columns", path: "/members", ready: table, open: press("Columns") },
  { name: "views", path: "/members", ready: table, open: press("Views") },
  { name: "a filter", path: "/members", ready: table, open: press("Tier") },
  { name: "a selection", path: "/members", ready: table, open: selectTwo },
  {
    name: "deactivate a selection",
    path: "/members",
    ready: table,
    open: async (page) => {
      await selectTwo(page)
      await press("Deactivate")(page)
    },
  },
  {
    name: "a form refused",
    path: "/members/new",
    ready: dialog,
    open: async (page) => {
      await page.getByRole("button", { name: /^Create/ }).click()
      await expect(page.locator("[aria-invalid=true]").first()).toBeVisible()
    },
  },
  { name: "days of the ledger", path: "/members/{member}", ready: table, open: press(/^Date/) },
  { name: "more actions", path: "/members/{member}", ready: table, open: press("More actions", "menu") },
  {
    name: "a ledger row",
    path: "/members/{member}",
    ready: table,
    open: async (page) => {
      await page.getByRole("table").locator("button[aria-expanded=false]").first().click()
      await expect(page.locator("button[aria-expanded=true]")).toBeVisible()
    },
  },
  {
    name: "an audit entry",
    path: "/audit",
    ready: table,
    open: async (page) => {
      await page.getByRole("table").locator("button[aria-expanded=false]").first().click()
      await expect(page.getByRole("table").locator("button[aria-expanded=true]")).toBeVisible()
    },
  },
  {
    name: "a user",
    path: "/settings/users",
    ready: table,
    open: async (page) => {
      await page.getByRole("table").getByRole("link").first().click()
      await dialog(page)
    },
  },
  {
    name: "sign in again",
    path: "/members",
    ready: table,
    open: async (page) => {
      await page.context().clearCookies()
      // A background read may end the session first, and the dialog then covers the button.
      await page.getByRole("button", { name: "Refresh" }).dispatchEvent("click")
      await dialog(page)
    },
  },
]

/** Places with record ids filled in. */
export function filled(places: readonly Place[], ids: Readonly<Record<string, string>>): Place[] {
  const fill = (path: string) =>
    path.replaceAll(/\{(\w+)\}/g, (placeholder, name: string) => ids[name] ?? placeholder)
  return places.map((place) => ({ ...place, path: fill(place.path) }))
}

/**
 * Opens a place and waits until it is loaded and drawn. Unless `reload`, it navigates within the loaded app, except
 * where something open may be left over.
 */
export async function visit(page: Page, url: string, place: Place, reload = false): Promise<void> {
  const mustLoad = reload || place.open !== undefined
  if (mustLoad || !(await navigate(page, url, place.path))) await page.goto(url + place.path)
  await place.ready(page)
  await expect(page.getByText("Loading", { exact: true })).toHaveCount(0)
  await page.waitForLoadState("load")
  await place.open?.(page)
  await settleAnimations(page)
}

interface AppRouter {
  readonly navigate: (to: { readonly href: string }) => Promise<void>
  readonly state: { readonly status: string; readonly location: object; readonly resolvedLocation?: object }
}

/** Navigates with the router of the loaded app, and waits until the page is rendered. False without a loaded app. */
async function navigate(page: Page, url: string, path: string): Promise<boolean> {
  if (!page.url().startsWith(url)) return false
  return page.evaluate(async (href) => {
    const { __TSR_ROUTER__: router } = globalThis as { __TSR_ROUTER__?: AppRouter }
    if (router === undefined) return false
    await router.navigate({ href })
    while (router.state.status !== "idle" || router.state.location !== router.state.resolvedLocation)
      await new Promise((resolve) => requestAnimationFrame(resolve))
    return true
  }, path)
}

/** Timeout for frames, in ms, and how often a window without frames is resized. */
const frameTimeoutMs = 5000
const nudges = 3

/**
 * Finishes all finite animations and waits until the result is drawn. Headless Chromium may lose a frame on a resize
 * and then draws none until the next change, so the window is resized. A hanging page does not run the timer either,
 * and fails its test.
 */
export async function settleAnimations(page: Page): Promise<void> {
  for (let tried = 0; tried <= nudges; tried += 1) {
    if (tried > 0) await nudge(page)
    const drawn = await page.evaluate(async (ms) => {
      const frame = () =>
        new Promise<boolean>((resolve) => {
          const timer = setTimeout(() => resolve(false), ms)
          requestAnimationFrame(() => {
            clearTimeout(timer)
            resolve(true)
          })
        })
      if (!(await frame()) || !(await frame())) return false
      for (const animation of document.getAnimations()) {
        if (animation.effect?.getComputedTiming().endTime !== Number.POSITIVE_INFINITY) animation.finish()
      }
      return frame()
    }, frameTimeoutMs)
    if (drawn) return
  }
  throw new Error(`No frame came for ${(nudges + 1) * frameTimeoutMs} ms, although the window was resized.`)
}

async function nudge(page: Page): Promise<void> {
  await page.bringToFront()
  const size = page.viewportSize()
  if (size === null) return
  await page.setViewportSize({ ...size, height: size.height + 1 })
  await page.setViewportSize(size)
}
