import initSqlJs from "sql.js"
import { onTestFinished } from "vitest"
import * as z from "zod/mini"
import { type DemoWorld, openDemoWorld } from "../../../src/demo/demo-world.ts"
import { handleApiRequest } from "../../../src/demo/api-handler.ts"
import { demoPassword } from "../../../sandbox/seed/people.ts"

const sqlite = initSqlJs()

/** Stops with the test: filling its copy takes longer than most tests. */
async function openDemo(saved?: unknown) {
  const world = await openDemoWorld({ version: "1.0.0", sqlite: await sqlite, saved })
  onTestFinished(() => world.stop())
  return { world }
}

/** Opens a demo world as a first visit does, which seeds a year of work. */
export const openNewWorld = () => openDemo()

let newState: Promise<unknown> | undefined

/** A demo world restored from `saved`, else from the state of a new one, which is seeded once per file. */
export async function openWorld(saved?: unknown) {
  newState ??= openNewWorld().then(({ world }) => world.snapshot())
  return openDemo(saved ?? structuredClone(await newState))
}

const body = z.looseObject({
  data: z.optional(z.unknown()),
  error: z.optional(z.looseObject({ code: z.string() })),
})

/** A parsed response of the demo's API handler. */
export interface DemoResponse {
  readonly status: number
  readonly code: string | undefined
  readonly data: unknown
  readonly headers: Headers
}

/** Calls the demo's API handler with the headers that Laurel's page sends. */
export async function requestDemo(
  world: DemoWorld,
  method: string,
  path: string,
  sent?: unknown,
  headers: Readonly<Record<string, string>> = { "X-Laurel": "1" },
): Promise<DemoResponse> {
  const init: RequestInit = { method, headers: { ...headers, "Content-Type": "application/json" } }
  if (sent !== undefined) init.body = JSON.stringify(sent)
  const response = await handleApiRequest(world, new Request(`http://demo.test/api${path}`, init))
  const text = await response.text()
  const read = text === "" ? { data: undefined } : body.parse(JSON.parse(text))
  return { status: response.status, code: read.error?.code, data: read.data, headers: response.headers }
}

/** Signs in as a demo user. */
export async function signInAs(
  world: DemoWorld,
  who: "admin" | "manager" | "packer" | "viewer",
): Promise<void> {
  const { status } = await requestDemo(world, "POST", "/session", {
    email: `${who}@laurel.demo`,
    password: demoPassword,
  })
  if (status !== 200) throw new Error(`Signing in was answered with ${status}.`)
}
