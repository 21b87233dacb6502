import { posix } from "node:path"
import { describe, expect, it } from "vitest"
import { importsOf, sources } from "./tree.ts"

const longestFile = 500
const everything = sources("contract", "core", "src", "bff", "sandbox", "scripts", "tests")

describe("the house", () => {
  it("keeps every file to one thing: at most 500 lines", () => {
    const long = everything
      .filter((file) => file.text.split("\n").length - 1 > longestFile)
      .map((file) => file.path)
    expect(long).toEqual([])
  })

  it("has no barrels: a file that only passes others on", () => {
    const barrels = everything
      .filter((file) => /^export (\*|\{[^}]*\}) from/m.test(file.text))
      .map((file) => file.path)
    expect(barrels).toEqual([])
  })

  it("lets no feature import another feature", () => {
    const crossing = everything
      .filter((file) => file.path.startsWith("src/features/"))
      .flatMap((file) =>
        importsOf(file.text)
          .filter((target) => target.startsWith("."))
          .map((target) => posix.normalize(posix.join(posix.dirname(file.path), target)))
          .filter((target) => target.startsWith("src/features/") && feature(target) !== feature(file.path))
          .map((target) => `${file.path} imports ${target}`),
      )
    expect(crossing).toEqual([])
  })

  it("lets only the composition roots reach across browser, server and sandbox", () => {
    const houses = new Set(["src", "core", "bff", "sandbox"])
    const across = everything
      .filter((file) => houses.has(top(file.path)) && !/\.test\.tsx?$/.test(file.path))
      .filter((file) => file.path !== "bff/main.ts" && !file.path.startsWith("src/demo/"))
      .flatMap((file) =>
        importsOf(file.text)
          .filter((target) => target.startsWith("."))
          .map((target) => posix.normalize(posix.join(posix.dirname(file.path), target)))
          .filter((target) => top(target) !== top(file.path) && top(target) !== "contract")
          .filter((target) => top(file.path) !== "bff" || top(target) !== "core")
          .map((target) => `${file.path} imports ${target}`),
      )
    // The one hook by which the demo build starts its worker; the normal build drops it.
    expect(across.filter((line) => !line.startsWith("src/main.tsx imports src/demo/"))).toEqual([])
  })
})

function feature(path: string): string {
  return path.split("/")[2] ?? ""
}

function top(path: string): string {
  return path.split("/")[0] ?? ""
}
