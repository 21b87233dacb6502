import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { freePort, startChild } from "./child.ts"

/** The administrator of every app process in the tests. */
export const admin = { email: "helen.park@program.example", password: "a-long-test-password" }

/** Laurel's server in its own process. */
export interface AppProcess {
  readonly url: string
  /** Data folder. */
  readonly data: string
  output(): string
  stop(): Promise<void>
}

/** Starts `bff/main.ts` with an empty data folder. Without upstream addresses it runs its built-in sandbox. */
export async function startAppProcess(env: Record<string, string>): Promise<AppProcess> {
  const port = await freePort()
  const data = mkdtempSync(join(tmpdir(), "laurel-app-"))
  const url = `http://127.0.0.1:${port}`
  const builtIn = env.PROGRAM_BASE_URL === undefined
  const child = await startChild(
    "bff/main.ts",
    {
      PORT: String(port),
      DATA_DIR: data,
      // Tests count requests, so no seeded history and no local copy.
      SANDBOX_HISTORY: "0",
      SYNC: "off",
      ...(builtIn ? {} : { ADMIN_EMAIL: admin.email, ADMIN_PASSWORD: admin.password }),
      ...env,
    },
    new RegExp(`:${port}\\b`),
  )
  return {
    url,
    data,
    output: () => child.output(),
    async stop() {
      await child.stop()
      rmSync(data, { recursive: true, force: true })
    },
  }
}

/** Environment variables that point an app at a sandbox elsewhere. */
export function upstreamEnv(url: string, key: string, rateLimit: number): Record<string, string> {
  return {
    ENVIRONMENT: "staging",
    PROGRAM_BASE_URL: `${url}/v1`,
    PROGRAM_API_KEY: key,
    PROGRAM_RATE_LIMIT: String(rateLimit),
    GIFTCARD_BASE_URL: `${url}/api/v1/external`,
    GIFTCARD_API_KEY: key,
    GIFTCARD_RATE_LIMIT: String(rateLimit),
  }
}
