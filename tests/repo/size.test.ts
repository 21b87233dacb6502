import { posix } from "node:path"
import { describe, expect, it } from "vitest"
import { sources } from "./tree.ts"

/** Maximum lines of a file */
const longestFile = 500
const mostFragments = 4

const isTest = (path: string) => /\.test\.tsx?$/.test(path)
const everything = sources("contract", "core", "bff", "sandbox", "src", "scripts", "tests")
const production = everything.filter(({ path }) => !/^(scripts|tests)\//.test(path) && !isTest(path))

const linesIn = (text: string) => text.split("\n").length - 1

describe("size", () => {
  it("has at most 4 fragments: files of up to 60 lines with one importer in the same folder", () => {
    const files = fragments()
    expect(files.length, `fragments: ${files.join(", ")}`).toBeLessThanOrEqual(mostFragments)
  })

  it(`of a file is at most ${longestFile} lines`, () => {
    const long = everything.filter(({ text }) => linesIn(text) > longestFile).map(({ path }) => path)
    expect(long).toEqual([])
  })
})

describe("barrels", () => {
  it("do not exist: import from the defining file", () => {
    const barrels = everything.filter(({ text }) => /^export (\*|\{[^}]*\}) from/m.test(text))
    expect(barrels.map(({ path }) => path)).toEqual([])
  })
})

/** Small files with one importer in the same folder; lazily imported files are excluded. */
function fragments(): string[] {
  const importers = new Map<string, Set<string>>()
  const lazy = new Set<string>()
  for (const { path, text } of production) {
    for (const [, dynamic, target = ""] of text.matchAll(
      /(?:from\s*|(import\(\s*)|import\s+)["'](\.{1,2}\/[^"']+)["']/g,
    )) {
      const file = posix.normalize(posix.join(posix.dirname(path), target))
      if (dynamic === undefined) importers.set(file, (importers.get(file) ?? new Set()).add(path))
      else lazy.add(file)
    }
  }
  return production
    .filter(({ path, text }) => {
      const [only, ...others] = importers.get(path) ?? []
      if (only === undefined || others.length > 0 || lazy.has(path)) return false
      return posix.dirname(only) === posix.dirname(path) && linesIn(text) <= 60
    })
    .map(({ path }) => path)
}
