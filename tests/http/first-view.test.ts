import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterAll, beforeAll, describe, expect, test } from "vitest"
import * as z from "zod/mini"
import type { Role } from "../../contract/roles.ts"
import { dataOf, type Person } from "../support/person.ts"
import { startApp, type TestApp } from "../support/server.ts"

const pages = mkdtempSync(join(tmpdir(), "laurel-first-view-"))
const list = "/api/program/members?page=1&per_page=25"
let app: TestApp
const firstOfAll = z.tuple([z.object({ id: z.string() })], z.unknown())
const people = new Map<Role, Person>()
const logged: string[] = []

const manifest = {
  "index.html": { file: "assets/index.js", dynamicImports: ["_base.js"] },
  "_base.js": { file: "assets/base.js", css: ["assets/base.css"] },
  "_app.js": { file: "assets/app.js", name: "app", imports: ["_base.js"], css: ["assets/app.css"] },
  "src/routes/sign-in.tsx?tsr-split=component": { file: "assets/sign-in.js" },
  "src/routes/_app/members.tsx?tsr-split=component": { file: "assets/members.js", imports: ["_app.js"] },
  "src/routes/_app/members.new.tsx?tsr-split=component": { file: "assets/new.js" },
  "src/routes/_app/members_.$memberId.tsx?tsr-split=component": { file: "assets/member.js" },
  "src/routes/_app/members_.$memberId.orders.tsx?tsr-split=component": { file: "assets/member-orders.js" },
  "src/routes/_app/orders_.$orderId.tsx?tsr-split=component": { file: "assets/order.js" },
  "src/routes/_app/orders_.ship.tsx?tsr-split=component": { file: "assets/ship.js" },
}

beforeAll(async () => {
  for (const folder of ["assets", ".vite"]) mkdirSync(join(pages, folder))
  writeFileSync(
    join(pages, "index.html"),
    '<html lang="en-AU"><head><link rel="stylesheet" crossorigin href="/assets/base.css"></head><body><div id="root"></div></body>',
  )
  writeFileSync(join(pages, ".vite", "manifest.json"), JSON.stringify(manifest))
  app = await startApp({ pages, sandbox: { members: 30 }, onLog: (line) => logged.push(line) })
  for (const role of ["admin", "viewer", "fulfilment"] as const) people.set(role, await app.signIn(role))
})
afterAll(async () => {
  await app.close()
  rmSync(pages, { recursive: true, force: true })
})

function as(role: Role): Person {
  const person = people.get(role)
  if (person === undefined) throw new Error(`Nobody is signed in as ${role}.`)
  return person
}

async function open(path: string, cookie = "") {
  const response = await fetch(app.url + path, { headers: { Accept: "text/html", Cookie: cookie } })
  const html = await response.text()
  const blocks = html.matchAll(
    /<script type="application\/json" data-address="([^"]*)" data-status="(\d+)" data-age="(\d+)">(.*?)<\/script>/g,
  )
  return {
    html,
    blocks: new Map(
      [...blocks].map(([, address = "", status, , text = ""]) => [
        address.replaceAll("&amp;", "&"),
        { status: Number(status), text, body: JSON.parse(text) as unknown },
      ]),
    ),
    preloads: [
      ...html.matchAll(/<link rel="modulepreload" fetchpriority="low" crossorigin href="([^"]*)"/g),
    ].map(([, to]) => to),
    awaited: [...html.matchAll(/<link rel="preload" as="fetch" crossorigin href="([^"]*)"/g)].map(([, to]) =>
      to?.replaceAll("&amp;", "&"),
    ),
  }
}

describe("the page of somebody who is signed in", () => {
  test("has the session as the API answers it, and makes the browser fetch a list that nobody read yet", async () => {
    const before = app.sandbox.requests.count
    const { blocks, awaited } = await open("/members", as("admin").cookie)
    const { user, permissions } = as("admin").session
    expect(blocks.get("/api/session")?.body).toMatchObject({ data: { user, permissions } })
    expect(awaited).toEqual([list])
    expect(blocks.has(list)).toBe(false)
    expect(app.sandbox.requests.count).toBe(before)
  })

  test.each(["admin", "viewer", "fulfilment"] as const)(
    "has a list from the cache as the API answers it to %s, without a request of the budget",
    async (role) => {
      await as(role).ask(list.slice("/api".length))
      const before = app.sandbox.requests.count
      const { blocks, awaited } = await open("/members", as(role).cookie)
      expect(app.sandbox.requests.count).toBe(before)
      expect(awaited).toEqual([])
      expect(blocks.get(list)?.body).toEqual((await as(role).ask(list.slice("/api".length))).body)
    },
  )

  test("has nothing that its role does not see", async () => {
    const { html: full } = await open("/members", as("admin").cookie)
    expect(full).toContain('"phone"')
    expect(full).toContain("@")
    const { blocks } = await open("/members", as("viewer").cookie)
    expect(blocks.get(list)?.text).not.toContain('"phone"')
    expect(blocks.get(list)?.text).not.toContain('"metadata"')
    expect((await open("/members", as("fulfilment").cookie)).blocks.get(list)?.text).not.toContain("@")
    // What a role may not read at all has neither a block nor a request.
    const cards = await open("/cards", as("fulfilment").cookie)
    expect([...cards.blocks.keys(), ...cards.awaited].filter((address) => address?.includes("card"))).toEqual(
      [],
    )
  })

  test("has no cookie in it and is logged as a read of people's data", async () => {
    const { cookie, session } = as("admin")
    logged.length = 0
    const { html } = await open("/members", cookie)
    for (const part of cookie.split("; ")) expect(html).not.toContain(part.split("=")[1])
    const line = logged.find((each) => each.includes('"path":"/members"')) ?? "{}"
    expect(JSON.parse(line)).toMatchObject({ userId: session.user.id, level: 30 })
  })

  test("leaves filters to the browser", async () => {
    const { blocks, awaited } = await open("/members?status=pending", as("admin").cookie)
    expect([...blocks.keys(), ...awaited].filter((address) => address?.includes("members"))).toEqual([])
  })

  test("reads a member under the id that the browser asks for", async () => {
    const { awaited } = await open("/members/mem%2F%22x", as("admin").cookie)
    expect(awaited).toContain("/api/program/members/mem%2F%22x")
    expect((await open("/members/%E0%A4%A", as("admin").cookie)).html).toContain('id="root"')
  })

  test("holds text that looks like markup as data", async () => {
    const name = "</script><!--<script>\u2028x"
    const [{ id }] = dataOf(await as("admin").ask(list.slice("/api".length)), firstOfAll)
    await as("admin").ask(`/program/members/${id}`, { method: "PATCH", body: { first_name: name } })
    await as("admin").ask(list.slice("/api".length), { headers: { "Cache-Control": "no-cache" } })
    const { blocks } = await open("/members", as("admin").cookie)
    expect(blocks.get(list)?.text).toContain("\\u003c/script\\u003e\\u003c!--\\u003cscript\\u003e\\u2028")
    expect(blocks.get(list)?.body).toEqual((await as("admin").ask(list.slice("/api".length))).body)
  })
})

describe("the page of nobody", () => {
  test.each([
    ["without a cookie", ""],
    ["with the cookie of a session that is no more", "laurel.session_token=gone.gone"],
  ])("%s says so, with nothing of the program", async (_, cookie) => {
    const { blocks, awaited } = await open("/members", cookie)
    expect([...blocks.keys()]).toEqual(["/api/session", "/api/about"])
    expect(blocks.get("/api/session")).toMatchObject({
      status: 401,
      body: { error: { code: "session_required" } },
    })
    expect(awaited).toEqual([])
  })

  test("after signing out", async () => {
    const person = await app.signIn("manager")
    await person.ask("/session", { method: "DELETE" })
    expect([...(await open("/members", person.cookie)).blocks.keys()]).toEqual(["/api/session", "/api/about"])
  })
})

describe("files of a page", () => {
  test.each([
    ["/members", ["app", "members"]],
    ["/members/new", ["app", "members", "new"]],
    ["/members/mem_1", ["app", "member"]],
    ["/members/mem_1/orders", ["app", "member", "member-orders"]],
    ["/orders/ship", ["app", "ship"]],
    ["/orders/ord_1", ["app", "order"]],
    ["/nowhere", []],
  ])("%s: its own and those around it", async (path, names) => {
    const { html, preloads } = await open(path, as("admin").cookie)
    expect(preloads.toSorted()).toEqual(
      ["index", "base", ...names].map((name) => `/assets/${name}.js`).toSorted(),
    )
    expect(html.match(/base\.css/g)).toHaveLength(1)
  })

  test("those of signing in for whoever has to", async () => {
    const { preloads } = await open("/members")
    expect(preloads).toContain("/assets/sign-in.js")
    expect(preloads).not.toContain("/assets/app.js")
  })
})

describe("the look of a page before any script", () => {
  test("is the one that the browser chose; anything else in the cookie is none", async () => {
    const { cookie } = as("admin")
    const tag = async (look: string) =>
      /<html [^>]*>/.exec((await open("/members", `${cookie}; ${look}`)).html)?.[0]
    expect(await tag("laurel-look=dark.roomy")).toBe(
      '<html data-mantine-color-scheme="dark" data-density="roomy" lang="en-AU">',
    )
    expect(await tag("laurel-look=auto.compact")).toBe('<html data-density="compact" lang="en-AU">')
    expect(await tag('laurel-look="><script>.x')).toBe('<html data-density="compact" lang="en-AU">')
  })

  test("shows the frame to whoever is signed in, hidden from screen readers, under the page's nonce", async () => {
    const { html } = await open("/members", as("admin").cookie)
    expect(html).toMatch(
      /<div id="root"><style nonce="[^"]+">[\s\S]*?<\/style><div class="first" aria-hidden="true">/,
    )
    expect((await open("/members")).html).toContain('<div id="root"></div>')
  })
})
