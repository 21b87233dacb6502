import { expect, test } from "vitest"
import { toCsv } from "./csv.ts"
import { type FileSink, tableSink } from "./table-file.ts"

function memory() {
  let text = ""
  const file: FileSink = {
    name: "list.csv",
    write: (more) => {
      text += typeof more === "string" ? more : "a part that is no text"
      return Promise.resolve()
    },
    restart: () => {
      text = ""
      return Promise.resolve()
    },
    close: () => Promise.resolve(),
    abort: () => Promise.resolve(),
  }
  return { file, text: () => text }
}

const columns = ["id", "reason, in words"]
const rows = [
  ["r1", "=1+1"],
  ["r2", 'says "yes"'],
  ["r3", -300],
] as const

test("a file written in chunks equals one written in a single call", async () => {
  const { file, text } = memory()
  const sink = await tableSink(file, columns, "comma")
  await sink.begin()
  await sink.add(rows.slice(0, 2))
  await sink.add([])
  await sink.add(rows.slice(2))
  expect(text()).toBe(`\uFEFF${toCsv({ columns, rows })}`)
})

test("columns that are only known at the start follow the fixed ones", async () => {
  const { file, text } = memory()
  const sink = await tableSink(file, columns, "comma")
  await sink.begin()
  await sink.begin(["metadata.=x"])
  await sink.add([["r1", "Bonus", "=1+1"]])
  const all = [...columns, "metadata.=x"]
  expect(text()).toBe(`\uFEFF${toCsv({ columns: all, rows: [["r1", "Bonus", "=1+1"]] })}`)
})

test("restarting discards what was written", async () => {
  const { file, text } = memory()
  const sink = await tableSink(file, columns, "comma")
  await sink.begin()
  await sink.add(rows)
  await sink.begin()
  await sink.add([["r9", "last"]])
  expect(text()).toBe(`\uFEFF${toCsv({ columns, rows: [["r9", "last"]] })}`)
})
