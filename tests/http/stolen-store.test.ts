import { copyFileSync, mkdirSync, mkdtempSync, readFileSync, rmSync, statSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterAll, expect, test } from "vitest"
import { startApp } from "../support/server.ts"

const folder = mkdtempSync(join(tmpdir(), "laurel-stolen-"))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

test("a copied database without the secret opens no session; with the secret it does", async () => {
  const home = join(folder, "home")
  const thief = join(folder, "thief")
  mkdirSync(home)
  mkdirSync(thief)
  const sandbox = { members: 1 }
  const app = await startApp({ dataDir: home, sandbox })
  const { cookie } = await app.signIn("admin")
  await app.close()

  const secretFile = join(home, "session-secret")
  expect(statSync(secretFile).mode & 0o777).toBe(0o600)
  expect(readFileSync(join(home, "sandbox.db"))).not.toContain(readFileSync(secretFile))

  copyFileSync(join(home, "sandbox.db"), join(thief, "sandbox.db"))
  for (const [dataDir, status] of [
    [thief, 401],
    [home, 200],
  ] as const) {
    const again = await startApp({ dataDir, sandbox })
    const answer = await fetch(`${again.url}/api/session`, { headers: { Cookie: cookie } })
    expect([dataDir, answer.status]).toEqual([dataDir, status])
    await again.close()
  }
})
