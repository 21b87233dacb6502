import { readFileSync } from "node:fs"
import { createServer } from "node:http"
import { expect, type Page } from "@playwright/test"
import { demoPeople } from "../../sandbox/seed/people.ts"
import { freePort } from "../support/child.ts"
import { enter, test } from "./app.ts"
import { browserStorage } from "./browser-storage.ts"

test.use({ serviceWorkers: "allow" })

const queue = (page: Page) =>
  page.getByRole("complementary", { name: "To ship" }).getByRole("button", { name: /ord_/ })
const currentOrder = (page: Page) => page.getByRole("region", { name: "Current order" })
const stored = (page: Page) => page.evaluate(browserStorage)
/** Waits until the response to a read is stored. */
const hasRead = (page: Page, address: string) =>
  expect.poll(async () => (await stored(page)).includes(address)).toBe(true)

/** Opens the ship desk and waits until everything for offline use is stored. */
async function openDesk(page: Page, url: string): Promise<void> {
  await page.goto(`${url}/orders/ship`)
  await expect(queue(page).first()).toBeVisible()
  await page.evaluate(() => navigator.serviceWorker.ready)
  await hasRead(page, "/api/orders?status=to-ship")
}

test("an offline reload opens the ship desk with its queue and cached data with its age", async ({
  page,
  context,
  builtIn,
}) => {
  await enter(page, builtIn.url, "fulfilment", "/rewards")
  await expect(page.getByText("Makita 18 V drill kit").first()).toBeVisible()
  await hasRead(page, "/api/rewards?page=1")
  await openDesk(page, builtIn.url)
  const id = /ord_\d+/.exec((await queue(page).first().textContent()) ?? "")?.[0] ?? ""
  await queue(page).first().click()
  await expect(currentOrder(page)).toContainText(id)
  const waiting = await queue(page).count()

  await context.setOffline(true)
  // Some versions of Chromium cut the connection only for pages loaded offline, without an event.
  await page.addInitScript(() => Object.defineProperty(navigator, "onLine", { get: () => false }))
  await page.reload()
  await expect(page.getByText(/^Offline since/)).toBeVisible()
  await expect(queue(page)).toHaveCount(waiting)
  // An order is scanned again after a reload.
  await queue(page).first().click()
  await expect(currentOrder(page)).toContainText(id)
  await expect(page.getByRole("complementary", { name: "To ship" }).getByText(/^Updated/)).toBeVisible()

  await page.goto(`${builtIn.url}/rewards`)
  await expect(page.getByRole("heading", { level: 1, name: "Rewards" })).toBeVisible()
  await expect(page.getByText("Makita 18 V drill kit").first()).toBeVisible()

  await context.setOffline(false)
  await expect(page.getByRole("button", { name: /Tom/ })).toBeVisible()
})

test("offline storage has no response and no name, and signing out clears it", async ({ page, builtIn }) => {
  await enter(page, builtIn.url, "fulfilment")
  await openDesk(page, builtIn.url)
  const everything = await stored(page)
  for (const { name, email } of demoPeople) {
    expect(everything).not.toContain(email)
    expect(everything).not.toContain(name)
  }
  const paths = await cached(page)
  expect(paths).toContain("/shell.html")
  expect(paths.filter((path) => !/^\/(assets\/.*|shell\.html)$/.test(path))).toEqual([])
  const shell = await (await page.request.get(`${builtIn.url}/shell.html`)).text()
  expect(shell).not.toContain("application/json")

  await page.getByRole("button", { name: /Tom/ }).click()
  await page.getByRole("menuitem", { name: "Sign out" }).click()
  await expect(page.getByRole("heading", { name: "Sign in to Laurel" })).toBeVisible()
  await expect.poll(() => stored(page)).not.toMatch(/api\/(program|orders)|"role"/)
})

test("a new version is cached next to the previous one and takes over once no tab uses that", async ({
  context,
}) => {
  const site = await versions()
  const first = await context.newPage()
  await first.goto(site.url)
  await first.evaluate(async () => {
    // Left by the worker of earlier versions.
    await (await caches.open("laurel")).put("/assets/zero.js", new Response("script zero"))
    await navigator.serviceWorker.register("/sw.js", { updateViaCache: "none" })
    await navigator.serviceWorker.ready
  })
  await first.reload()

  site.deploy("two")
  await first.evaluate(async () => (await navigator.serviceWorker.getRegistration())?.update())
  const both = ["/assets/one.js", "/assets/two.js", "/shell.html", "/shell.html"]
  await expect.poll(() => cached(first)).toEqual(both)
  expect(await first.evaluate(async () => (await fetch("/assets/one.js")).text())).toBe("script one")

  const second = await context.newPage()
  await context.setOffline(true)
  await second.goto(site.url)
  await expect(second.getByText("shell one")).toBeVisible()
  expect(await second.evaluate(async () => (await fetch("/assets/one.js")).text())).toBe("script one")
  await context.setOffline(false)

  await Promise.all([first.close(), second.close()])
  const third = await context.newPage()
  await third.goto(site.url)
  await expect(third.getByText("page two")).toBeVisible()
  await expect.poll(() => cached(third)).toEqual(["/assets/two.js", "/shell.html"])
  await site.close()
})

/** The paths of everything in the browser's caches. */
const cached = (page: Page) =>
  page.evaluate(async () => {
    const names = await caches.keys()
    const requests = await Promise.all(names.map(async (name) => (await caches.open(name)).keys()))
    return requests
      .flat()
      .map(({ url }) => new URL(url).pathname)
      .toSorted()
  })

const manifestOf = (version: string) => [
  { url: `/assets/${version}.js`, revision: null },
  { url: "/shell.html", revision: version },
]

/** A site that serves only the newest version of one built file, and the built service worker listing it. */
async function versions() {
  const worker = readFileSync("dist/app/sw.js", "utf8")
  let version = "one"
  const server = createServer(({ url = "" }, response) => {
    const [type, text] =
      url === "/sw.js"
        ? ["text/javascript", worker.replace(/\[\{"revision"[^\]]*\]/, JSON.stringify(manifestOf(version)))]
        : url === `/assets/${version}.js`
          ? ["text/javascript", `script ${version}`]
          : ["text/html", `${url === "/shell.html" ? "shell" : "page"} ${version}`]
    response.writeHead(url.startsWith("/assets/") && type === "text/html" ? 404 : 200, {
      "Content-Type": type,
    })
    response.end(text)
  })
  const port = await freePort()
  await new Promise<void>((resolve) => server.listen(port, "127.0.0.1", resolve))
  return {
    url: `http://127.0.0.1:${port}/`,
    deploy: (next: string) => {
      version = next
    },
    close: async () => {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}
