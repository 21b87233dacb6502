import * as z from "zod/mini"
import { asFetch, createSandbox, type Sandbox } from "../../../sandbox/app.ts"
import { demoKey, type SandboxOptions } from "../../../sandbox/config.ts"
import { testTime, type TestTime } from "./time.ts"

const fields = z.record(z.string(), z.unknown())
const answerBody = z.looseObject({
  success: z.optional(z.boolean()),
  data: z.optional(z.unknown()),
  meta: z.optional(z.object({ page: z.number(), per_page: z.number(), total: z.number() })),
  error: z.optional(z.unknown()),
})

/** A parsed response. */
interface TestAnswer {
  readonly status: number
  readonly headers: Headers
  readonly body: Record<string, unknown>
  readonly meta: { page: number; per_page: number; total: number } | undefined
  /** `data` as one record. */
  readonly record: Record<string, unknown>
  /** `data` as a list of records. */
  readonly rows: Record<string, unknown>[]
}

/** A sandbox and functions to call it. Paths are relative to the API's base. */
export interface TestClient {
  readonly sandbox: Sandbox
  readonly time: TestTime
  readonly program: (method: string, path: string, body?: unknown, init?: RequestInit) => Promise<TestAnswer>
  readonly giftcard: (method: string, path: string, body?: unknown, init?: RequestInit) => Promise<TestAnswer>
}

/** Ana Silva's id in every seed. */
export const ana = "mem_8Fq2Lx41"

/** A small sandbox without rate limits, on a test clock. */
export function testClient(options: Partial<SandboxOptions> = {}): TestClient {
  const time = testTime()
  const sandbox = createSandbox({
    members: 80,
    rateLimit: 0,
    giftcardRateLimit: 0,
    now: () => time.now(),
    wait: (ms, signal) => time.wait(ms, signal),
    ...options,
  })
  const fetch = asFetch(sandbox)
  const ask =
    (base: string) =>
    async (method: string, path: string, body?: unknown, init: RequestInit = {}): Promise<TestAnswer> => {
      const response = await fetch(`http://sandbox.test${base}${path}`, {
        method,
        ...(body === undefined ? {} : { body: typeof body === "string" ? body : JSON.stringify(body) }),
        ...init,
        headers: {
          authorization: `Bearer ${demoKey}`,
          ...(body === undefined ? {} : { "content-type": "application/json" }),
          ...Object.fromEntries(new Headers(init.headers)),
        },
      })
      return answerOf(response)
    }
  return { sandbox, time, program: ask("/v1"), giftcard: ask("/api/v1/external") }
}

async function answerOf(response: Response): Promise<TestAnswer> {
  const text = await response.text()
  const parsed = answerBody.safeParse(text === "" ? {} : JSON.parse(text))
  const body = parsed.success ? parsed.data : {}
  return {
    status: response.status,
    headers: response.headers,
    body,
    meta: parsed.success ? parsed.data.meta : undefined,
    get record() {
      return fields.parse(body["data"])
    },
    get rows() {
      return z.array(fields).parse(body["data"])
    },
  }
}
