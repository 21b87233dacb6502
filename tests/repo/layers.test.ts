import { posix } from "node:path"
import { describe, expect, it } from "vitest"
import { importsOf, type Source, sources } from "./tree.ts"

/**
 * What each folder may import besides itself. Imports go one way: routes, shell, features, import, forms and lists,
 * api, ui, lib; contract below everything. An unlisted folder fails the test.
 */
const layers: Readonly<Record<string, readonly string[]>> = {
  contract: [],
  core: ["contract"],
  bff: ["contract", "core"],
  sandbox: ["contract"],
  "src/lib": ["contract"],
  "src/ui": ["contract", "src/lib"],
  "src/api": ["contract", "src/lib", "src/ui"],
  "src/lists": ["contract", "src/lib", "src/ui", "src/api"],
  "src/forms": ["contract", "src/lib", "src/ui", "src/api", "src/lists"],
  "src/import": ["contract", "src/lib", "src/ui", "src/api", "src/lists", "src/forms"],
  "src/features": ["contract", "src/lib", "src/ui", "src/api", "src/lists", "src/forms", "src/import"],
  // The shell opens session dialogs and resumes the outbox; no feature imports the shell.
  "src/shell": ["contract", "src/lib", "src/ui", "src/api", "src/lists", "src/forms", "src/features", "src"],
  "src/routes": ["contract", "src/lib", "src/ui", "src/api", "src/lists", "src/features", "src/shell"],
  // The demo is a second composition root: core, store and sandbox behind a service worker.
  "src/demo": ["contract", "core", "sandbox", "bff", "src/lib", "src/ui", "src"],
  // main, app, router and theme.
  src: ["contract", "src/lib", "src/api", "src/shell", "src/routes", "src/demo"],
}

/** bff/main.ts starts the sandbox when no service is configured; its history and people are stored by the other two. */
const compositionRoots: Readonly<Record<string, readonly string[]>> = {
  "bff/main.ts": ["sandbox"],
  "bff/auth/demo-accounts.ts": ["sandbox"],
  "bff/store/history.ts": ["sandbox"],
}

const isTest = (path: string) => /\.test\.tsx?$/.test(path)
const production = sources("contract", "core", "bff", "sandbox", "src").filter(({ path }) => !isTest(path))
const edges = production.map((file) => ({ path: file.path, targets: targetsOf(file) }))

describe("layers", () => {
  it("are all listed", () => {
    expect(production.map(({ path }) => layerOf(path)).filter((layer) => !(layer in layers))).toEqual([])
  })

  it("import one way", () => {
    const wrong = edges.flatMap(({ path, targets }) => {
      const layer = layerOf(path)
      const allowed = new Set([layer, ...(layers[layer] ?? []), ...(compositionRoots[path] ?? [])])
      return targets
        .filter((target) => !allowed.has(layerOf(target)))
        .map((target) => `${path} imports ${target}`)
    })
    expect(wrong).toEqual([])
  })

  it("let no feature import another feature", () => {
    const wrong = edges.flatMap(({ path, targets }) =>
      targets
        .filter((target) => [path, target].every((one) => layerOf(one) === "src/features"))
        .filter((target) => featureOf(target) !== featureOf(path))
        .map((target) => `${path} imports ${target}`),
    )
    expect(wrong).toEqual([])
  })

  it("have no cycles, including types; a lazily loaded file may import its loader", () => {
    const graph = new Map(production.map((file) => [file.path, targetsOf(file, staticImports)]))
    expect(cycles(graph)).toEqual([])
  })
})

/** The layer of a file: `src/api`, `core`. Files directly in src are `src`. */
function layerOf(path: string): string {
  const [top = "", folder = "", ...rest] = path.split("/")
  return top === "src" && rest.length > 0 ? `src/${folder}` : top
}

function featureOf(path: string): string {
  return path.split("/")[2] ?? ""
}

const staticImports = (text: string) => importsOf(text.replaceAll(/import\s*\(\s*"[^"]+"/g, ""))

function targetsOf({ path, text }: Source, read: (text: string) => string[] = importsOf): string[] {
  return read(text)
    .filter((target) => target.startsWith(".") && /\.tsx?$/.test(target))
    .map((target) => posix.normalize(posix.join(posix.dirname(path), target)))
}

/** Import cycles (Tarjan's strongly connected components). */
function cycles(graph: ReadonlyMap<string, readonly string[]>): string[][] {
  const order = new Map<string, number>()
  const lowest = new Map<string, number>()
  const stack: string[] = []
  const components: string[][] = []
  const visit = (file: string): number => {
    const at = order.size
    order.set(file, at)
    lowest.set(file, at)
    stack.push(file)
    for (const target of graph.get(file) ?? []) {
      if (!graph.has(target)) continue
      if (!order.has(target)) lowest.set(file, Math.min(lowest.get(file) ?? at, visit(target)))
      else if (stack.includes(target))
        lowest.set(file, Math.min(lowest.get(file) ?? at, order.get(target) ?? at))
    }
    if (lowest.get(file) === at) {
      const group = stack.splice(stack.indexOf(file))
      if (group.length > 1) components.push(group.toSorted())
    }
    return lowest.get(file) ?? at
  }
  for (const file of graph.keys()) if (!order.has(file)) visit(file)
  return components
}
