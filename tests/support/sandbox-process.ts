import * as z from "zod"
import { demoKey } from "../../sandbox/config.ts"
import { freePort, startChild } from "./child.ts"

/** The sandbox as `npm run sandbox` starts it: its own process, reachable only over HTTP. */
export interface SandboxProcess {
  readonly url: string
  /** Requests received since it started, oldest first. */
  requests(): Promise<readonly LoggedRequest[]>
  stop(): Promise<void>
}

const loggedRequest = z.object({ method: z.string(), path: z.string(), body: z.string(), status: z.int() })
/** A request in the sandbox's log. */
type LoggedRequest = z.output<typeof loggedRequest>

const log = z.object({ data: z.object({ entries: z.array(loggedRequest) }) })

/** Starts a sandbox: no rate limit unless `env` sets one; a free port by default. */
export async function startSandboxProcess(
  env: Readonly<Record<string, string>> = {},
  port?: number,
): Promise<SandboxProcess> {
  const taken = port ?? (await freePort())
  const child = await startChild(
    "sandbox/serve.ts",
    { SANDBOX_PORT: String(taken), SANDBOX_API_KEY: demoKey, SANDBOX_RATE_LIMIT: "0", ...env },
    /npm start/,
  )
  const url = `http://127.0.0.1:${taken}`
  return {
    url,
    async requests() {
      const answer = await fetch(`${url}/__sandbox/requests`)
      return log.parse(await answer.json()).data.entries
    },
    stop: () => child.stop(),
  }
}
