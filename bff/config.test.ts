import { expect, test } from "vitest"
import { readConfig } from "./config.ts"

const staging = {
  ENVIRONMENT: "staging",
  PROGRAM_BASE_URL: "https://staging.program.example/v1",
  PROGRAM_API_KEY: "prog-secret-key",
}

const production = { ...staging, ENVIRONMENT: "production", PUBLIC_URL: "https://desk.example" }

function problemsOf(env: Record<string, string>): string[] {
  const read = readConfig(env)
  return read.ok ? [] : read.problems
}

function http(host: string): string {
  return `http://${host}/v1`
}

function trust(value: string) {
  const read = readConfig({ TRUST_PROXY: value })
  return read.ok ? read.config.trustProxy : read.problems
}

test("nothing set is the built-in sandbox on this machine alone", () => {
  expect(readConfig({})).toMatchObject({
    ok: true,
    config: {
      host: "127.0.0.1",
      port: 3000,
      environment: "sandbox",
      connections: {},
      databaseUrl: undefined,
      instanceId: undefined,
    },
  })
})

test("a next key belongs to its service, and is none when it is the same key", () => {
  const nextOf = (next: string) => {
    const read = readConfig({ ...staging, PROGRAM_API_KEY_NEXT: next })
    return read.ok ? read.config.connections.program?.nextApiKey : read.problems
  }
  expect(nextOf("prog-next-key")).toBe("prog-next-key")
  expect(nextOf("prog-secret-key")).toBeUndefined()
})

test("an empty variable counts as not set", () => {
  expect(problemsOf({ ENVIRONMENT: "", PROGRAM_BASE_URL: " ", PORT: "", ADMIN_PASSWORD: "" })).toEqual([])
})

test("base addresses may end in a slash and are kept without it", () => {
  const env = {
    ...staging,
    PROGRAM_BASE_URL: "https://staging.program.example/v1/",
    GIFTCARD_BASE_URL: "https://cards.example/acme/api/v1/external//",
    GIFTCARD_API_KEY: "card-secret-key",
    GIFTCARD_RATE_LIMIT: "120",
  }
  expect(readConfig(env)).toMatchObject({
    ok: true,
    config: {
      environment: "staging",
      connections: {
        program: { baseUrl: "https://staging.program.example/v1", apiKey: "prog-secret-key", rateLimit: 60 },
        giftcard: { baseUrl: "https://cards.example/acme/api/v1/external", rateLimit: 120 },
      },
    },
  })
})

test.each([
  ["PORT", { PORT: "80a" }, /^PORT is "80a"/],
  ["PORT", { PORT: "70000" }, /^PORT is "70000"/],
  ["an address without ENVIRONMENT", { ...staging, ENVIRONMENT: "" }, /^ENVIRONMENT is missing/],
  ["a made-up ENVIRONMENT", { ...staging, ENVIRONMENT: "prod" }, /^ENVIRONMENT is "prod"/],
  ["the sandbox with an address", { ...staging, ENVIRONMENT: "sandbox" }, /^ENVIRONMENT is "sandbox"/],
  ["ENVIRONMENT without an address", { ENVIRONMENT: "production" }, /no service is connected/],
  ["a key without an address", { GIFTCARD_API_KEY: "k" }, /GIFTCARD_BASE_URL is not/],
  ["an address without a key", { ...staging, PROGRAM_API_KEY: "" }, /PROGRAM_API_KEY is not/],
  ["a key with a blank", { ...staging, PROGRAM_API_KEY: "two words" }, /PROGRAM_API_KEY has a blank/],
  [
    "a next key alone",
    { PROGRAM_API_KEY_NEXT: "k" },
    /PROGRAM_API_KEY_NEXT is set, but PROGRAM_API_KEY is not/,
  ],
  [
    "a next key with a blank",
    { ...staging, PROGRAM_API_KEY_NEXT: "a b" },
    /PROGRAM_API_KEY_NEXT has a blank/,
  ],
  ["another ending", { ...staging, PROGRAM_BASE_URL: "https://program.example/v2" }, /end with \/v1,/],
  [
    "the other service's ending",
    { ...staging, GIFTCARD_BASE_URL: "https://cards.example/v1", GIFTCARD_API_KEY: "k" },
    /end with \/api\/v1\/external/,
  ],
  ["no address at all", { ...staging, PROGRAM_BASE_URL: "program.example/v1" }, /starts with https:/],
  [
    "more than an address",
    { ...staging, PROGRAM_BASE_URL: "https://a:b@program.example/v1" },
    /more than an address/,
  ],
  [
    "a key sent unprotected",
    {
      ...staging,
      ENVIRONMENT: "production",
      PUBLIC_URL: "https://desk.example",
      PROGRAM_BASE_URL: "http://program.example/v1",
    },
    /unprotected/,
  ],
  ["a rate limit of nothing", { ...staging, PROGRAM_RATE_LIMIT: "0" }, /^PROGRAM_RATE_LIMIT is "0"/],
  ["an administrator without password", { ADMIN_EMAIL: "helen@program.example" }, /belong together/],
  [
    "a host with a path",
    { ALLOWED_HOSTS: "desk.example.com, other/path" },
    /^ALLOWED_HOSTS has "other\/path"/,
  ],
  [
    "production without PUBLIC_URL",
    { ...production, PUBLIC_URL: "" },
    /^PUBLIC_URL is missing.*ALLOW_PLAIN_HTTP=1/,
  ],
  [
    "production without TLS",
    { ...production, PUBLIC_URL: "http://desk.example" },
    /^PUBLIC_URL starts with http:/,
  ],
  ["a level there is not", { LOG_LEVEL: "loud" }, /^LOG_LEVEL is "loud"/],
  ["a session without end", { SESSION_MAX_DAYS: "0" }, /^SESSION_MAX_DAYS is "0"/],
  ["a path in PUBLIC_URL", { PUBLIC_URL: "https://desk.example/laurel" }, /^PUBLIC_URL/],
  ["believing every proxy", { TRUST_PROXY: "true" }, /^TRUST_PROXY is "true"/],
  ["a network that is none", { TRUST_PROXY: "10.0.0.0/99" }, /^TRUST_PROXY/],
  ["a short secret", { SESSION_SECRET: "short" }, /^SESSION_SECRET is shorter/],
  ["a switch that is no switch", { START_HELD: "yes" }, /^START_HELD is "yes"/],
  ["a short token", { METRICS_TOKEN: "short" }, /^METRICS_TOKEN is shorter/],
  [
    "another database",
    { ...staging, DATABASE_URL: "mysql://db/x", SESSION_SECRET: "x".repeat(32) },
    /postgres:/,
  ],
  [
    "PostgreSQL without SESSION_SECRET",
    { ...staging, DATABASE_URL: "postgres://db/x" },
    /^SESSION_SECRET is missing/,
  ],
  ["a local copy that is neither on nor off", { SYNC: "no" }, /^SYNC is "no"/],
  ["a place for the local copy there is not", { SYNC_STORE: "disk" }, /^SYNC_STORE is "disk"/],
  ["an INSTANCE_ID with a blank", { INSTANCE_ID: "laurel 1" }, /^INSTANCE_ID is "laurel 1"\. Give up to 100/],
  [
    "PostgreSQL for the sandbox",
    { DATABASE_URL: "postgres://db/x", SESSION_SECRET: "x".repeat(32) },
    /no service is connected/,
  ],
])("%s is one clear sentence", (_name, env, sentence) => {
  expect(problemsOf(env)).toEqual([expect.stringMatching(sentence)])
})

test("the local copy is next to the store, in memory or nowhere", () => {
  const syncOf = (env: Record<string, string>) => {
    const read = readConfig(env)
    return read.ok && read.config.sync
  }
  expect([syncOf({}), syncOf({ SYNC_STORE: "memory" }), syncOf({ SYNC: "off" })]).toEqual([
    "store",
    "memory",
    "off",
  ])
})

test("START_HELD=1 starts held, nothing and 0 do not", () => {
  const startsHeld = (env: Record<string, string>) => {
    const read = readConfig(env)
    return read.ok && read.config.startHeld
  }
  expect([startsHeld({}), startsHeld({ START_HELD: "0" }), startsHeld({ START_HELD: "1" })]).toEqual([
    false,
    false,
    true,
  ])
})

test("http is for this machine and for staging", () => {
  for (const host of ["localhost:4010", "127.0.0.1:4010", "[::1]:4010"]) {
    expect(problemsOf({ ...production, PROGRAM_BASE_URL: http(host) })).toEqual([])
  }
  expect(problemsOf({ ...staging, PROGRAM_BASE_URL: http("sandbox.internal") })).toEqual([])
})

test("proxies are counted, or named", () => {
  expect(trust("2")).toBe(2)
  expect(trust("0")).toBe(false)
  expect(trust("loopback, 10.0.0.0/8,fd00::/8")).toEqual(["loopback", "10.0.0.0/8", "fd00::/8"])
})

test("all mistakes are reported together, without secrets", () => {
  const problems = problemsOf({
    PORT: "x",
    PROGRAM_BASE_URL: "http://user:hidden-one@program.example/v3",
    PROGRAM_API_KEY: "hidden two",
    ADMIN_PASSWORD: "hidden",
    SESSION_SECRET: "hidden-three",
    METRICS_TOKEN: "hidden-four",
    DATABASE_URL: "mysql://u:hidden-five@db/x",
  })
  expect(problems.length).toBeGreaterThanOrEqual(7)
  expect(problems.join("\n")).not.toContain("hidden")
})

test("production requires TLS unless the configuration waives it", () => {
  expect(problemsOf(production)).toEqual([])
  for (const PUBLIC_URL of ["", "http://desk.example"]) {
    expect(problemsOf({ ...production, PUBLIC_URL, ALLOW_PLAIN_HTTP: "1" })).toEqual([])
  }
  expect(problemsOf({ ...production, PUBLIC_URL: "", ALLOW_PLAIN_HTTP: "yes" })).toHaveLength(1)
  expect(problemsOf(staging)).toEqual([])
})
