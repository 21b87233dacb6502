import { spawnSync } from "node:child_process"
import { randomBytes } from "node:crypto"
import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { createSandbox, type Sandbox } from "../../sandbox/app.ts"
import { demoKey, type SandboxOptions } from "../../sandbox/config.ts"
import { serveSandbox } from "../../sandbox/serve.ts"
import { type Child, freePort, startChild } from "../support/child.ts"
import { admin, upstreamEnv } from "../support/app-process.ts"
import { type TestResponse, type RequestOptions, requestCore, signInAs } from "../support/person.ts"
import { until } from "./until.ts"

/** Times of the engine as a run shortens them, in seconds. */
export interface ShortTimes {
  readonly settle: number
  readonly recheck: number
  readonly lease: number
  readonly call: number
}

/** What a fleet is made of. */
export interface FleetOptions {
  readonly instances: 1 | 2
  /** Each start runs in a new pid namespace, as in a container: nothing is known of earlier processes. */
  readonly container?: boolean
  /** Address of an empty PostgreSQL database; a file otherwise. */
  readonly databaseUrl?: string
  readonly times: ShortTimes
  /** Requests a minute that Laurel allows itself. */
  readonly rateLimit?: number
  readonly sandbox?: Partial<SandboxOptions>
}

/** One process of Laurel. It keeps its port and its folder when it is started again. */
export interface FleetApp {
  readonly url: string
  readonly running: boolean
  /** Ends it at once, as a power cut does. */
  kill(): Promise<void>
  /** Starts it and tells how long it took until it listened, in ms. */
  start(): Promise<number>
  /** Stops its time (SIGSTOP) and lets it go on (SIGCONT). */
  freeze(): void
  thaw(): void
  /** Everything it wrote since it was started last. */
  output(): string
}

/** The made-up services in this process, and apps that reach them over HTTP. */
export interface Fleet {
  readonly sandbox: Sandbox
  readonly apps: readonly FleetApp[]
  readonly dataDir: string
  /** Asks whichever app answers, as the administrator. */
  readonly ask: (path: string, how?: RequestOptions) => Promise<TestResponse>
  /** Asks one app. */
  readonly askOne: (app: FleetApp, path: string, how?: RequestOptions) => Promise<TestResponse>
  close(): Promise<void>
}

/** How long an answer is waited for: an app may just be killed, and the machine busy. */
const answerMs = 90_000

/** As much as Laurel accepts. */
const noLimit = 100_000

/** Whoever stops the tests in the middle must not leave apps behind that work on for ever. */
const running = new Set<Child>()
process.once("exit", () => {
  for (const { process: app } of running) app.kill("SIGKILL")
})

/** Starts one. */
export async function startFleet(options: FleetOptions): Promise<Fleet> {
  const sandbox = createSandbox({ members: 1200, rateLimit: 0, giftcardRateLimit: 0, ...options.sandbox })
  const services = await serveSandbox(sandbox)
  const dataDir = mkdtempSync(join(tmpdir(), "laurel-faults-"))
  const { settle, recheck, lease, call } = options.times
  const env: Record<string, string> = {
    ...upstreamEnv(services.url, demoKey, options.rateLimit ?? noLimit),
    DATA_DIR: dataDir,
    ADMIN_EMAIL: admin.email,
    ADMIN_PASSWORD: admin.password,
    SESSION_SECRET: randomBytes(24).toString("hex"),
    JOB_SETTLE_SECONDS: String(settle),
    JOB_RECHECK_SECONDS: String(recheck),
    JOB_LEASE_SECONDS: String(lease),
    JOB_CALL_SECONDS: String(call),
    ...(options.databaseUrl !== undefined && { DATABASE_URL: options.databaseUrl }),
  }
  const apps: FleetApp[] = []
  const close = async () => {
    for (const app of apps) app.thaw()
    await Promise.all(apps.map((app) => app.kill()))
    await services.close()
    rmSync(dataDir, { recursive: true, force: true })
  }
  try {
    for (let at = 0; at < options.instances; at += 1) {
      const app = createFleetApp(env, await freePort(), options.container === true ? pidNamespace : [])
      apps.push(app)
      await app.start()
    }
    const [first] = apps
    if (first === undefined) throw new Error("A fleet has at least one server.")
    const { cookie } = await until("signing in", answerMs, () =>
      signInAs(first.url, admin.email, admin.password),
    )
    const askOne = (app: FleetApp, path: string, how: RequestOptions = {}) =>
      requestCore(app.url, path, { ...how, headers: { Cookie: cookie, ...how.headers } })
    return {
      sandbox,
      apps,
      dataDir,
      askOne,
      ask: (path, how) =>
        until(`an answer to ${path}`, answerMs, async () => {
          const answered = await Promise.any(
            apps.filter(({ running }) => running).map((app) => askOne(app, path, how)),
          )
          // Not ready yet, or the request came too slowly: this process had other things to do.
          return answered.status === 503 || answered.status === 408 ? undefined : answered
        }),
      close,
    }
  } catch (error) {
    await close()
    throw error
  }
}

/** Runs a command as the first process of a pid namespace; the command ends with it. */
const pidNamespace = ["unshare", "--pid", "--fork", "--mount-proc", "--kill-child"]

/** @throws Error with one sentence where this account has no right to make pid namespaces */
export function requirePidNamespaces(): void {
  const [command = "", ...args] = pidNamespace
  const { status } = spawnSync(command, [...args, "true"])
  if (status === 0) return
  throw new Error("This test needs the right to run `unshare --pid --fork --mount-proc`: run it as root.")
}

function createFleetApp(
  env: Readonly<Record<string, string>>,
  port: number,
  within: readonly string[],
): FleetApp {
  let child: Child | undefined
  return {
    url: `http://127.0.0.1:${port}`,
    get running() {
      return child !== undefined
    },
    async start() {
      const from = performance.now()
      const ready = new RegExp(`:${port}\\b`)
      child = await startChild("bff/main.ts", { ...env, PORT: String(port) }, ready, within)
      running.add(child)
      return performance.now() - from
    },
    async kill() {
      const ending = child
      child = undefined
      if (ending === undefined) return
      running.delete(ending)
      if (ending.process.exitCode !== null || ending.process.signalCode !== null) return
      await new Promise<void>((resolve) => {
        ending.process.once("exit", () => resolve())
        ending.process.kill("SIGKILL")
      })
    },
    freeze: () => void child?.process.kill("SIGSTOP"),
    thaw: () => void child?.process.kill("SIGCONT"),
    output: () => child?.output() ?? "",
  }
}
