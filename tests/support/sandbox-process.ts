import * as z from "zod"
import { demoKey } from "../../sandbox/config.ts"
import { freePort, startChild } from "./child.ts"

/** The sandbox as `npm run sandbox` starts it: a process of its own that is only reached over HTTP. */
export interface SandboxProcess {
  readonly url: string
  /** What it was asked for since it started, oldest first. */
  requests(): Promise<readonly SeenRequest[]>
  stop(): Promise<void>
}

const seenRequest = z.object({ method: z.string(), path: z.string(), body: z.string(), status: z.int() })
/** One request as the sandbox saw it. */
type SeenRequest = z.output<typeof seenRequest>

const log = z.object({ data: z.object({ entries: z.array(seenRequest) }) })

/** Starts one. Without a limit of its own unless `env` sets one; a port of its own unless one is given. */
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
