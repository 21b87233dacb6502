import { readdirSync, readFileSync } from "node:fs"
import { join, posix } from "node:path"
import { describe, expect, it } from "vitest"
import { root, type Source, sources } from "./tree.ts"

interface Budget {
  readonly files: number
  readonly lines: number
}

/**
 * How large each part may grow (docs/decisions/0013-deep-modules.md). Over budget: first look for what can be merged,
 * said once or deleted; if the product truly needs more, raise the number in the same commit and give the reason there.
 */
const budgets: Readonly<Record<string, Budget>> = {
  contract: { files: 29, lines: 3770 },
  core: { files: 81, lines: 13_945 },
  // 600 lines are the year of work that a new store of the sandbox begins with: one file tells it, another writes it.
  bff: { files: 44, lines: 7625 },
  sandbox: { files: 28, lines: 4350 },
  "src/routes": { files: 54, lines: 560 },
  "src/api": { files: 20, lines: 3135 },
  "src/features": { files: 146, lines: 25_190 },
  "src/import": { files: 28, lines: 4525 },
  // 500 lines are the palette's: every kind of record is found in it, remembered, and has its actions there.
  // 15 lines came from the features: a list places what its rows offer.
  "src/shared": { files: 114, lines: 12_620 },
  "src/demo": { files: 13, lines: 1735 },
}
/** lists, forms, ui, lib, shell and the files directly in src share one budget. */
const shared = /^src\/((lists|forms|ui|lib|shell)\/|[^/]+$)/
const whole = { files: 555, lines: 77_421, sheets: 49, sheetLines: 5421, fragments: 4 }
const longestFile = 500
const advice = "Merge or delete something, or raise the number in the same commit with the reason."

const isTest = (path: string) => /\.test\.tsx?$/.test(path)
const everything = sources("contract", "core", "bff", "sandbox", "src", "scripts", "tests")
const production = everything.filter(({ path }) => !/^(scripts|tests)\//.test(path) && !isTest(path))
const sheets = readdirSync(join(root, "src"), { recursive: true, withFileTypes: true })
  .filter((entry) => entry.isFile() && entry.name.endsWith(".css"))
  .map((entry) => readFileSync(join(entry.parentPath, entry.name), "utf8"))

const linesIn = (text: string) => text.split("\n").length - 1
const sum = (texts: readonly string[]) => texts.reduce((total, text) => total + linesIn(text), 0)
const textsOf = (files: readonly Source[]) => files.map(({ text }) => text)

describe("size", () => {
  it.each(Object.entries(budgets))("of %s stays within its budget", (part, budget) => {
    const files = production.filter(({ path }) => partOf(path) === part)
    const found = { files: files.length, lines: sum(textsOf(files)) }
    expect(found.files, `files in ${part}. ${advice}`).toBeLessThanOrEqual(budget.files)
    expect(found.lines, `lines in ${part}. ${advice}`).toBeLessThanOrEqual(budget.lines)
  })

  it("of the whole stays within its budget", () => {
    expect(production.length, `files. ${advice}`).toBeLessThanOrEqual(whole.files)
    expect(sum(textsOf(production)), `lines. ${advice}`).toBeLessThanOrEqual(whole.lines)
    expect(sheets.length, `style sheets. ${advice}`).toBeLessThanOrEqual(whole.sheets)
    expect(sum(sheets), `lines of style sheets. ${advice}`).toBeLessThanOrEqual(whole.sheetLines)
  })

  it("has few fragments: at most 60 lines and one importer, in the same folder", () => {
    const found = fragments()
    expect(found.length, `${found.join("\n")}\n${advice}`).toBeLessThanOrEqual(whole.fragments)
  })

  it(`of a file is at most ${longestFile} lines`, () => {
    const long = everything.filter(({ text }) => linesIn(text) > longestFile).map(({ path }) => path)
    expect(long).toEqual([])
  })
})

describe("barrels", () => {
  it("do not exist: import the file that defines a thing", () => {
    const barrels = everything.filter(({ text }) => /^export (\*|\{[^}]*\}) from/m.test(text))
    expect(barrels.map(({ path }) => path)).toEqual([])
  })
})

function partOf(path: string): string {
  const [top = "", folder = ""] = path.split("/")
  if (top !== "src") return top
  return shared.test(path) ? "src/shared" : `src/${folder}`
}

/** Small files that one neighbour imports: a lazy boundary is none. */
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
