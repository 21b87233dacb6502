import { spawnSync } from "node:child_process"
import { readdirSync, readFileSync } from "node:fs"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import * as z from "zod/mini"

const root = fileURLToPath(new URL("..", import.meta.url))

const licence = z.union([
  z.object({ license: z.looseObject({ id: z.string() }) }),
  z.object({ expression: z.string() }),
])
const bill = z.looseObject({
  metadata: z.looseObject({ component: z.looseObject({ "bom-ref": z.string(), name: z.string() }) }),
  components: z.array(
    z.looseObject({
      "bom-ref": z.string(),
      name: z.string(),
      version: z.string(),
      licenses: z.optional(z.array(licence)),
    }),
  ),
  dependencies: z.array(z.looseObject({ ref: z.string(), dependsOn: z.array(z.string()) })),
})

const names = z.optional(z.record(z.string(), z.string()))
const lockfile = z.object({
  packages: z.record(
    z.string(),
    z.object({
      version: z.optional(z.string()),
      dev: z.optional(z.boolean()),
      optional: z.optional(z.boolean()),
      devOptional: z.optional(z.boolean()),
      dependencies: names,
      optionalDependencies: names,
    }),
  ),
})

/**
 * What an installation consists of, as CycloneDX: packages of the server and of the pages, with their licences. npm
 * counts the latter among the development dependencies, since they are needed only to build the pages.
 */
export function billOfMaterials() {
  const { stdout, stderr, status } = spawnSync(
    "npm",
    ["sbom", "--sbom-format=cyclonedx", "--sbom-type=application", "--package-lock-only", "--include=dev"],
    { cwd: root, encoding: "utf8", shell: process.platform === "win32", maxBuffer: 64 * 1024 * 1024 },
  )
  if (status !== 0) throw new Error(`npm could not list the packages: ${stderr}`)
  const { metadata, components, dependencies, ...rest } = bill.parse(JSON.parse(stdout))
  const shipped = shippedPackages()
  const own = metadata.component["bom-ref"]
  return {
    ...rest,
    metadata: { ...metadata, component: { ...metadata.component, name: "laurel" } },
    components: components
      .filter((one) => shipped.has(one["bom-ref"]))
      .map((one) => ({ ...one, scope: "required", properties: [] })),
    dependencies: dependencies
      .filter(({ ref }) => ref === own || shipped.has(ref))
      .map((one) => ({ ...one, dependsOn: one.dependsOn.filter((ref) => shipped.has(ref)) })),
  }
}

/** Each component's name, version and licence, as SPDX names it. */
export function licencesOf({ components }: Pick<ReturnType<typeof billOfMaterials>, "components">) {
  return components.map(({ name, version, licenses = [] }) => ({
    name,
    version,
    licence: licenses.map((one) => ("license" in one ? one.license.id : one.expression)).join(" AND "),
  }))
}

/** `name@version` of each package that runs on the server, and of those that the pages import with what these need. */
function shippedPackages(): Set<string> {
  const { packages } = lockfile.parse(JSON.parse(readFileSync(join(root, "package-lock.json"), "utf8")))
  const found = new Set(
    Object.entries(packages)
      .filter(([path, { dev, optional, devOptional }]) => path !== "" && !(dev || optional || devOptional))
      .map(([path]) => path),
  )
  const open = importedByPages().map((name) => `node_modules/${name}`)
  for (let path = open.pop(); path !== undefined; path = open.pop()) {
    const entry = packages[path]
    if (entry === undefined || found.has(path)) continue
    found.add(path)
    const needed = Object.keys({ ...entry.dependencies, ...entry.optionalDependencies })
    open.push(...needed.map((name) => nearest(packages, path, name)))
  }
  return new Set([...found].map((path) => `${path.split("node_modules/").at(-1)}@${packages[path]?.version}`))
}

/** Where Node finds a package that another one imports: in its own node_modules or in one above. */
function nearest(packages: Readonly<Record<string, unknown>>, from: string, name: string): string {
  for (
    let folder = from;
    folder !== "";
    folder = folder.slice(0, Math.max(0, folder.lastIndexOf("/node_modules/")))
  ) {
    const path = `${folder}/node_modules/${name}`
    if (path in packages) return path
  }
  return `node_modules/${name}`
}

/** Packages that a source file of the pages imports. The demo is not installed. */
function importedByPages(): string[] {
  const specifier = /(?:from\s+|import\s*\(?\s*)"((?:@[\w.-]+\/)?[\w.-]+)(?:\/[^"]*)?"/g
  return readdirSync(join(root, "src"), { recursive: true, encoding: "utf8" })
    .map((path) => path.replaceAll("\\", "/"))
    .filter((path) => /\.(tsx?|css)$/.test(path) && !/\.test\.tsx?$|^demo\//.test(path))
    .flatMap((path) => [...readFileSync(join(root, "src", path), "utf8").matchAll(specifier)])
    .map(([, name = ""]) => name)
}
