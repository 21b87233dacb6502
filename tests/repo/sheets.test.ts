import { readFileSync } from "node:fs"
import { join, posix } from "node:path"
import { expect, test } from "vitest"
import { root, sources } from "./tree.ts"

const files = sources("src").flatMap(({ path, text }) =>
  [...text.matchAll(/import (\w+) from "(\.[^"]+\.module\.css)"/g)].map(([, name = "", sheet = ""]) => ({
    path,
    text,
    name,
    sheet: posix.join(posix.dirname(path), sheet),
  })),
)
const textOf = (sheet: string) => readFileSync(join(root, sheet), "utf8").replaceAll(/\/\*[\s\S]*?\*\//g, "")

test("every class used from a style sheet is defined in it", () => {
  expect(files.length).toBeGreaterThan(50)
  const missing = files.flatMap(({ path, text, name, sheet }) =>
    [...text.matchAll(new RegExp(`\\b${name}\\.(\\w+)`, "g"))]
      .filter(([match, word = ""]) => word !== "module" && !textOf(sheet).match(`\\.${word}\\b`) && match)
      .map(([match]) => `${path}: ${match}`),
  )
  expect(missing).toEqual([])
})

test("no rule has a duplicate selector", () => {
  const twice = [...new Set(files.map(({ sheet }) => sheet))].flatMap((sheet) =>
    [...textOf(sheet).matchAll(/([^{};]+)\{/g)]
      .map(([, names = ""]) => names.split(/,\s*\n/).map((name) => name.trim()))
      .filter((names) => new Set(names).size < names.length)
      .map((names) => `${sheet}: ${names.join(", ")}`),
  )
  expect(twice).toEqual([])
})

test("every native select has its own chevron: the look of Mantine's is in a sheet that not every page loads", () => {
  const selects = sources("src").flatMap(({ path, text }) =>
    text
      .split("<NativeSelect")
      .slice(1)
      .map((rest) => ({ path, props: rest.slice(0, rest.search(/\/>\n|\/>$/m)) })),
  )
  expect(selects.length).toBeGreaterThan(10)
  expect(selects.filter(({ props }) => !props.includes("rightSection=")).map(({ path }) => path)).toEqual([])
})
