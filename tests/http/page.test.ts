import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterAll, beforeAll, describe, expect, test } from "vitest"
import type { Person } from "../support/person.ts"
import { startApp, type TestApp } from "../support/server.ts"

const folder = mkdtempSync(join(tmpdir(), "laurel-page-"))
const manifest = {
  "index.html": { file: "assets/index.js", dynamicImports: ["src/start.tsx"] },
  "src/start.tsx": { file: "assets/start.js", imports: ["_framework.js"], css: ["assets/start.css"] },
  "_framework.js": { file: "assets/framework.js" },
  "src/routes/sign-in.tsx?tsr-split=component": { file: "assets/sign-in.js" },
  "src/routes/_app/members.tsx?tsr-split=loader---component": {
    file: "assets/members.js",
    css: ["assets/members.css"],
    imports: ["_framework.js", "_list.js", "src/start.tsx"],
  },
  "_list.js": { file: "assets/list.js", css: ["assets/list.css"] },
  "src/routes/_app/members.new.tsx?tsr-split=component": { file: "assets/new.js" },
  "src/routes/_app/members_.$memberId.tsx?tsr-split=component": { file: "assets/member.js" },
  "src/routes/_app/members_.$memberId.orders.tsx?tsr-split=component": { file: "assets/member-orders.js" },
  "src/routes/_app/orders_.$orderId.tsx?tsr-split=component": { file: "assets/order.js" },
  "src/routes/_app/orders_.ship.tsx?tsr-split=component": { file: "assets/ship.js" },
}
let app: TestApp
let admin: Person

beforeAll(async () => {
  for (const name of ["assets", ".vite"]) mkdirSync(join(folder, name))
  const head = '<head><meta property="csp-nonce" nonce="__CSP_NONCE__" /></head>'
  writeFileSync(
    join(folder, "index.html"),
    `<html lang="en-AU">${head}<body><div id="root"></div></body></html>`,
  )
  writeFileSync(join(folder, ".vite", "manifest.json"), JSON.stringify(manifest))
  app = await startApp({ pages: folder, sandbox: { members: 30 } })
  admin = await app.signIn("admin")
})
afterAll(async () => {
  await app.close()
  rmSync(folder, { recursive: true, force: true })
})

async function open(path: string, cookie = "") {
  const response = await fetch(app.url + path, { headers: { Accept: "text/html", Cookie: cookie } })
  const html = await response.text()
  const [, session] = /<script type="application\/json" id="session">(.*?)<\/script>/.exec(html) ?? []
  const preloads = html.matchAll(/<link rel="modulepreload" crossorigin href="\/assets\/([^"]*)\.js"/g)
  const styles = html.matchAll(/<link rel="stylesheet" crossorigin href="\/assets\/([^"]*)\.css"/g)
  return {
    html,
    policy: response.headers.get("content-security-policy") ?? "",
    session: session === undefined ? undefined : (JSON.parse(session) as unknown),
    preloads: [...preloads].map(([, name]) => name),
    styles: [...styles].map(([, name]) => name),
  }
}

describe("the page's session", () => {
  test("is the signed-in user's and needs no upstream request", async () => {
    const before = app.sandbox.requests.count
    const { user, permissions } = admin.session
    expect((await open("/members", admin.cookie)).session).toMatchObject({ user, permissions })
    expect(app.sandbox.requests.count).toBe(before)
  })

  test("contains no cookie", async () => {
    const { html } = await open("/members", admin.cookie)
    for (const part of admin.cookie.split("; ")) expect(html).not.toContain(part.split("=")[1])
  })

  test("escapes text that looks like markup", async () => {
    const created = await admin.ask("/users", {
      method: "POST",
      body: { name: "</script><!--<script>x", email: "markup@laurel.example", role: "viewer" },
    })
    expect(created.status).toBe(201)
    const views = { method: "PUT", body: { name: "</script><b>" } }
    await admin.ask("/settings/program", views)
    const { html, session } = await open("/members", admin.cookie)
    expect(session).toBeDefined()
    expect(html.match(/<\/script>/g)).toHaveLength(1)
  })

  test.each([
    ["without a cookie", ""],
    ["with the cookie of a session that has ended", "laurel.session_token=gone.gone"],
  ])("is null %s", async (_, cookie) => {
    const { session, preloads } = await open("/members", cookie)
    expect(session).toBeNull()
    expect(preloads.toSorted()).toEqual(["framework", "start"])
  })

  test("is null after signing out", async () => {
    const person = await app.signIn("manager")
    await person.ask("/session", { method: "DELETE" })
    expect((await open("/members", person.cookie)).session).toBeNull()
  })
})

test.each([
  ["/members", ["list", "members"]],
  ["/members?status=pending", ["list", "members"]],
  ["/members/new", ["list", "members", "new"]],
  ["/members/mem_1", ["member"]],
  ["/members/mem_1/orders", ["member", "member-orders"]],
  ["/orders/ship", ["ship"]],
  ["/orders/ord_1", ["order"]],
  ["/orders/%E0%A4%A", ["order"]],
  ["/nowhere", []],
])("%s preloads the scripts of its route", async (path, names) => {
  const { preloads } = await open(path, admin.cookie)
  expect(preloads.toSorted()).toEqual(["framework", "start", ...names].toSorted())
})

test("a page links the style sheets of its route, an imported one before the importing one", async () => {
  expect((await open("/members", admin.cookie)).styles).toEqual(["start", "list", "members"])
  expect((await open("/orders/ship", admin.cookie)).styles).toEqual(["start"])
})

test("each page has its own nonce, which its policy names", async () => {
  const nonces = await Promise.all(
    [1, 2].map(async () => {
      const { html, policy } = await open("/members", admin.cookie)
      const [, nonce = ""] = /nonce="([^"]+)"/.exec(html) ?? []
      expect(policy).toContain(`'nonce-${nonce}'`)
      return nonce
    }),
  )
  expect(new Set(nonces).size).toBe(2)
})

test("the page has the colour scheme and density of the cookie; other values are ignored", async () => {
  const tag = async (look: string) =>
    /<html [^>]*>/.exec((await open("/members", `${admin.cookie}; ${look}`)).html)?.[0]
  expect(await tag("laurel-look=dark.roomy")).toBe(
    '<html data-mantine-color-scheme="dark" data-density="roomy" lang="en-AU">',
  )
  expect(await tag("laurel-look=auto.compact")).toBe('<html data-density="compact" lang="en-AU">')
  expect(await tag('laurel-look="><script>.x')).toBe('<html data-density="compact" lang="en-AU">')
})
