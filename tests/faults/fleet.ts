import { spawnSync } from "node:child_process"
import { randomBytes } from "node:crypto"
import { mkdtempSync, readFileSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { createSandbox, type Sandbox } from "../../sandbox/app.ts"
import { demoKey, type SandboxOptions } from "../../sandbox/config.ts"
import { serveSandbox } from "../../sandbox/serve.ts"
import { type Child, freePort, startChild } from "../support/child.ts"
import { admin, upstreamEnv } from "../support/app-process.ts"
import { type TestResponse, type RequestOptions, requestCore, signInAs } from "../support/person.ts"
import { until } from "./until.ts"

/** Shortened engine timings, in seconds. */
export interface ShortTimes {
  readonly settle: number
  readonly recheck: number
  readonly lease: number
  readonly call: number
}

/** Options of a fleet. */
export interface FleetOptions {
  readonly instances: 1 | 2 | 3
  /** Runs each start in a new pid namespace, as in a container: earlier processes cannot be checked. */
  readonly container?: boolean
  /** Gives each app an INSTANCE_ID: laurel-1, laurel-2. */
  readonly named?: boolean
  /** URL of an empty PostgreSQL database; SQLite by default. */
  readonly databaseUrl?: string
  readonly times: ShortTimes
  /** Laurel's rate limit, requests a minute. */
  readonly rateLimit?: number
  readonly sandbox?: Partial<SandboxOptions>
  /** Called before the first start. */
  readonly prepare?: (dataDir: string, sandbox: Sandbox) => Promise<void>
  /** Further environment variables. */
  readonly env?: Readonly<Record<string, string>>
}

/** A Laurel process. It keeps its port and data folder across restarts. */
export interface FleetApp {
  readonly url: string
  readonly running: boolean
  /** Kills it with SIGKILL. */
  kill(): Promise<void>
  /** Stops it with SIGTERM, as a service manager does. */
  stop(): Promise<void>
  /** Starts it with these additional variables; returns the ms until it listens. @throws Error with the output */
  start(more?: Readonly<Record<string, string>>): Promise<number>
  /** SIGSTOP; `thaw` is SIGCONT. */
  freeze(): void
  thaw(): void
  /** Output since its last start. */
  output(): string
}

/** The sandbox in this process, and apps that reach it over HTTP. */
export interface Fleet {
  readonly sandbox: Sandbox
  readonly apps: readonly FleetApp[]
  readonly dataDir: string
  /** Makes a request as the administrator to the app that responds first. */
  readonly ask: (path: string, how?: RequestOptions) => Promise<TestResponse>
  /** Makes a request to one app. */
  readonly requestFrom: (app: FleetApp, path: string, how?: RequestOptions) => Promise<TestResponse>
  close(): Promise<void>
}

/** Response timeout: the app may have been killed, and the machine may be busy. */
const answerMs = 90_000

/** The maximum that Laurel accepts. */
const noLimit = 100_000

/** Killed with the test process, so that an interrupted run leaves no apps behind. */
const running = new Set<Child>()
process.once("exit", () => {
  for (const { process: app } of running) app.kill("SIGKILL")
})

export async function startFleet(options: FleetOptions): Promise<Fleet> {
  const sandbox = createSandbox({ members: 1200, rateLimit: 0, giftcardRateLimit: 0, ...options.sandbox })
  const services = await serveSandbox(sandbox)
  const dataDir = mkdtempSync(join(tmpdir(), "laurel-faults-"))
  const { settle, recheck, lease, call } = options.times
  const env: Record<string, string> = {
    ...upstreamEnv(services.url, demoKey, options.rateLimit ?? noLimit),
    ADMIN_EMAIL: admin.email,
    ADMIN_PASSWORD: admin.password,
    SESSION_SECRET: randomBytes(24).toString("hex"),
    JOB_SETTLE_SECONDS: String(settle),
    JOB_RECHECK_SECONDS: String(recheck),
    JOB_LEASE_SECONDS: String(lease),
    JOB_CALL_SECONDS: String(call),
    // Off, to count the requests of jobs alone; the cluster has it.
    SYNC: "off",
    ...(options.databaseUrl !== undefined && { DATABASE_URL: options.databaseUrl }),
    ...options.env,
  }
  const apps: FleetApp[] = []
  const close = async () => {
    for (const app of apps) app.thaw()
    await Promise.all(apps.map((app) => app.kill()))
    await services.close()
    rmSync(dataDir, { recursive: true, force: true })
  }
  try {
    await options.prepare?.(dataDir, sandbox)
    for (let at = 0; at < options.instances; at += 1) {
      // Instances on one database have a folder each.
      const folder = options.databaseUrl === undefined ? dataDir : join(dataDir, `instance-${at + 1}`)
      const within = options.container === true ? pidNamespace : []
      const id = options.named === true && { INSTANCE_ID: `laurel-${at + 1}` }
      const app = createFleetApp({ ...env, ...id, DATA_DIR: folder }, await freePort(), within)
      apps.push(app)
      await app.start()
    }
    const [first] = apps
    if (first === undefined) throw new Error("A fleet has at least one server.")
    const { cookie } = await until("signing in", answerMs, () =>
      signInAs(first.url, admin.email, admin.password),
    )
    const requestFrom = (app: FleetApp, path: string, how: RequestOptions = {}) =>
      requestCore(app.url, path, { ...how, headers: { Cookie: cookie, ...how.headers } })
    return {
      sandbox,
      apps,
      dataDir,
      requestFrom,
      ask: (path, how) =>
        until(`an answer to ${path}`, answerMs, async () => {
          const response = await Promise.any(
            apps.filter(({ running }) => running).map((app) => requestFrom(app, path, how)),
          )
          // Not ready yet, or this process sent the request too slowly.
          return response.status === 503 || response.status === 408 ? undefined : response
        }),
      close,
    }
  } catch (error) {
    await close()
    throw error
  }
}

/** Runs a command as pid 1 of a new namespace; both end together. */
const pidNamespace = ["unshare", "--pid", "--fork", "--mount-proc", "--kill-child"]

/** @throws Error if this account cannot create pid namespaces */
export function requirePidNamespaces(): void {
  const [command = "", ...args] = pidNamespace
  const { status } = spawnSync(command, [...args, "true"])
  if (status === 0) return
  throw new Error("This test needs the right to run `unshare --pid --fork --mount-proc`: run it as root.")
}

/** Signals the app itself: in a namespace it is a child of the command that made it. */
function signal(child: Child | undefined, within: readonly string[], name: "SIGSTOP" | "SIGCONT"): void {
  const pid = child?.process.pid
  if (pid === undefined) return
  if (within.length === 0) return void process.kill(pid, name)
  const children = readFileSync(`/proc/${pid}/task/${pid}/children`, "utf8").trim().split(" ")
  for (const one of children) process.kill(Number(one), name)
}

function createFleetApp(
  env: Readonly<Record<string, string>>,
  port: number,
  within: readonly string[],
): FleetApp {
  let child: Child | undefined
  const end = async (signal: "SIGKILL" | "SIGTERM") => {
    const ending = child
    child = undefined
    if (ending === undefined) return
    if (ending.process.exitCode === null && ending.process.signalCode === null) {
      await new Promise<void>((resolve) => {
        ending.process.once("exit", () => resolve())
        ending.process.kill(signal)
      })
    }
    running.delete(ending)
  }
  return {
    url: `http://127.0.0.1:${port}`,
    get running() {
      return child !== undefined
    },
    async start(more = {}) {
      const from = performance.now()
      const ready = new RegExp(`:${port}\\b`)
      child = await startChild("bff/main.ts", { ...env, ...more, PORT: String(port) }, ready, within)
      running.add(child)
      return performance.now() - from
    },
    kill: () => end("SIGKILL"),
    stop: () => end("SIGTERM"),
    freeze: () => signal(child, within, "SIGSTOP"),
    thaw: () => signal(child, within, "SIGCONT"),
    output: () => child?.output() ?? "",
  }
}
