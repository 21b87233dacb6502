import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { brotliCompressSync } from "node:zlib"
import { afterAll, beforeAll, describe, expect, test } from "vitest"
import { startApp, type TestApp } from "../support/server.ts"

const pages = mkdtempSync(join(tmpdir(), "laurel-pages-"))
const script = `console.log("app")${" ".repeat(2000)}`
let app: TestApp

beforeAll(async () => {
  mkdirSync(join(pages, "assets"))
  mkdirSync(join(pages, ".vite"))
  writeFileSync(
    join(pages, "index.html"),
    '<meta property="csp-nonce" nonce="__CSP_NONCE__" content="__CSP_NONCE__"><div id="root"></div>',
  )
  writeFileSync(join(pages, "favicon.svg"), "<svg/>")
  writeFileSync(join(pages, ".vite", "manifest.json"), "{}")
  writeFileSync(join(pages, "assets", "app-abc123.js"), script)
  writeFileSync(join(pages, "assets", "app-abc123.js.br"), brotliCompressSync(script))
  app = await startApp({ pages, sandbox: { members: 1 } })
})
afterAll(async () => {
  await app.close()
  rmSync(pages, { recursive: true, force: true })
})

const browser = { Accept: "text/html,application/xhtml+xml,*/*;q=0.8" }
const get = (path: string, headers: Record<string, string> = browser) => fetch(app.url + path, { headers })

describe("the page", () => {
  test.each(["/", "/index.html", "/members", "/members/mem_1.x/ledger?type=award", "/set-password"])(
    "%s is the page with its own nonce and `no-store`",
    async (path) => {
      const answers = [await get(path), await get(path)]
      const nonces = []
      for (const answer of answers) {
        expect(answer.status).toBe(200)
        expect(answer.headers.get("Cache-Control")).toBe("no-store")
        const policy = answer.headers.get("Content-Security-Policy") ?? ""
        const nonce = /'nonce-([^']+)'/.exec(policy)?.[1] ?? ""
        const text = await answer.text()
        expect(text).toContain(`nonce="${nonce}" content="${nonce}"`)
        expect(text).not.toContain("__CSP_NONCE__")
        nonces.push(nonce)
      }
      expect(new Set(nonces).size).toBe(2)
    },
  )

  test("has exactly this content security policy", async () => {
    const policy = (await get("/")).headers.get("Content-Security-Policy") ?? ""
    expect(policy.replace(/nonce-[^']+/, "nonce-")).toBe(
      "default-src 'self'; script-src 'self'; style-src 'self' 'nonce-'; style-src-attr 'none'; img-src 'self' data: https:; worker-src 'self'; connect-src 'self'; object-src 'none'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'",
    )
  })
})

describe("files", () => {
  test("under /assets are cached for a year and sent precompressed", async () => {
    const answer = await get("/assets/app-abc123.js", { "Accept-Encoding": "br", Accept: "*/*" })
    expect(answer.headers.get("Cache-Control")).toBe("public,max-age=31536000,immutable")
    expect(answer.headers.get("Content-Encoding")).toBe("br")
    expect(answer.headers.get("Content-Type")).toContain("javascript")
    expect(await answer.text()).toBe(script)
  })

  test("under /assets have the security headers of files, and the page those of documents", async () => {
    const names = ["X-Content-Type-Options", "Cross-Origin-Resource-Policy", "Content-Security-Policy"]
    const ofDocuments = ["X-Frame-Options", "Referrer-Policy", "Permissions-Policy"]
    const has = async (path: string, each: string[]) => {
      const { headers } = await get(path)
      return each.filter((name) => headers.has(name))
    }
    expect(await has("/assets/app-abc123.js", [...names, ...ofDocuments])).toEqual(names)
    expect(await has("/", [...names, ...ofDocuments])).toEqual([...names, ...ofDocuments])
  })

  test("elsewhere are revalidated", async () => {
    const answer = await get("/favicon.svg", { Accept: "image/*" })
    expect(answer.headers.get("Cache-Control")).toBe("public,max-age=0,must-revalidate")
    const tag = answer.headers.get("ETag") ?? ""
    expect((await get("/favicon.svg", { Accept: "image/*", "If-None-Match": tag })).status).toBe(304)
  })

  test.each([
    ["/assets/app-old.js", browser],
    ["/assets/", browser],
    ["/missing.png", { Accept: "image/avif,image/webp,image/*" }],
    ["/.vite/manifest.json", { Accept: "application/json" }],
    ["/%2e%2e/package.json", { Accept: "application/json" }],
    ["/assets/..%2f..%2fpackage.json", browser],
  ])("%s is a 404, not the page", async (path, headers) => {
    const answer = await get(path, headers)
    expect([answer.status, await answer.text()]).toEqual([404, "There is no such file.\n"])
  })

  test("accept no POST", async () => {
    expect((await fetch(app.url, { method: "POST" })).status).toBe(405)
  })
})

test("an app that is not built says how to build it, and its health check works", async () => {
  const bare = await startApp({ pages: join(pages, "nowhere"), sandbox: { members: 1 } })
  const answer = await fetch(bare.url, { headers: browser })
  expect(answer.status).toBe(503)
  expect(await answer.text()).toContain("npm run build")
  expect((await fetch(`${bare.url}/healthz`)).status).toBe(200)
  await bare.close()
})

test("behind TLS the response has HSTS and the cookie is secure", async () => {
  const env = { PUBLIC_URL: "https://desk.example", TRUST_PROXY: "1" }
  const secure = await startApp({ pages, sandbox: { members: 1 }, env })
  const answer = await fetch(`${secure.url}/api/session`, {
    method: "POST",
    headers: {
      "Content-Type": "application/json",
      "X-Laurel": "1",
      "X-Forwarded-Proto": "https",
      Origin: "https://desk.example",
    },
    body: JSON.stringify({ email: "viewer@laurel.demo", password: "laurel-sandbox" }),
  })
  expect(answer.headers.getSetCookie()[0]).toMatch(/^__Secure-laurel\.session_token=.*Secure/)
  expect(answer.headers.get("Strict-Transport-Security")).toContain("max-age=31536000")
  await secure.close()
})
