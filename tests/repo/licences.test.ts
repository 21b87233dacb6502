import { readFileSync } from "node:fs"
import { join } from "node:path"
import { expect, test } from "vitest"
import * as z from "zod/mini"
import { billOfMaterials, licencesOf } from "../../scripts/sbom.ts"
import { root } from "./tree.ts"

/** Licences that require no more than their notice. */
const permissive = new Set([
  "0BSD",
  "Apache-2.0",
  "BlueOak-1.0.0",
  "BSD-2-Clause",
  "BSD-3-Clause",
  "ISC",
  "MIT",
  "OFL-1.1",
  "Unlicense",
  // Expressions of permissive licences.
  "MIT AND ISC AND BSD-3-Clause",
  "(MIT OR CC0-1.0)",
  "(Unlicense OR Apache-2.0)",
])
/** Further ones of tools that are used unchanged and not passed on: lightningcss, axe-core, caniuse-lite. */
const ofTools = new Set(["MPL-2.0", "CC-BY-4.0"])

const bill = billOfMaterials()

test("the bill of materials lists the packages of the server and the pages, and no tools", () => {
  expect(bill).toMatchObject({ bomFormat: "CycloneDX", metadata: { component: { name: "laurel" } } })
  const listed = new Set(bill.components.map(({ name }) => name))
  const some = [
    "express",
    "kysely",
    "pg",
    "react",
    "@mantine/core",
    "recharts",
    "d3-scale",
    "workbox-precaching",
  ]
  expect(some.filter((name) => !listed.has(name))).toEqual([])
  expect(
    ["vite", "vitest", "typescript", "knip", "msw", "sql.js"].filter((name) => listed.has(name)),
  ).toEqual([])
  const refs = new Set([...bill.components.map((one) => one["bom-ref"]), bill.metadata.component["bom-ref"]])
  expect(
    bill.dependencies.flatMap(({ ref, dependsOn }) => [ref, ...dependsOn]).filter((ref) => !refs.has(ref)),
  ).toEqual([])
})

test("every shipped package has a permissive licence", () => {
  expect(licencesOf(bill).filter(({ licence }) => !permissive.has(licence))).toEqual([])
})

test("every package of the lockfile has an allowed licence", () => {
  const { packages } = z
    .object({ packages: z.record(z.string(), z.object({ license: z.optional(z.string()) })) })
    .parse(JSON.parse(readFileSync(join(root, "package-lock.json"), "utf8")))
  const others = Object.entries(packages)
    .filter(([path]) => path !== "")
    .filter(([, { license = "none" }]) => !permissive.has(license) && !ofTools.has(license))
    .map(([path, { license }]) => `${path}: ${license}`)
  expect(others).toEqual([])
})
