import { expect, test } from "vitest"
import { KeptMoving, streamEveryPage } from "./paging.ts"

interface Row {
  readonly id: string
}

const rowsOf = (...ids: readonly number[]): Row[] => ids.map((id) => ({ id: `r${id}` }))

/** A list that answers `pages[n]` to the n-th question, whatever page was asked for. */
function stream(pages: readonly { data: Row[]; total?: number }[]) {
  const file: string[] = []
  const asked: [number, boolean][] = []
  const controller = new AbortController()
  const run = streamEveryPage<Row>({
    perPage: 2,
    idOf: ({ id }) => id,
    read: (page, _perPage, fresh) => {
      const answer = pages[asked.length]
      asked.push([page, fresh])
      if (answer === undefined) throw new Error("asked too often")
      return Promise.resolve({ data: answer.data, meta: { total: answer.total } })
    },
    begin: () => {
      file.length = 0
      return Promise.resolve()
    },
    take: (rows) => {
      file.push(...rows.map(({ id }) => id))
      return Promise.resolve()
    },
    signal: controller.signal,
    onProgress: () => undefined,
  })
  return { run, file, asked, controller }
}

test("every page is passed on as it comes", async () => {
  const { run, file } = stream([
    { data: rowsOf(1, 2), total: 3 },
    { data: rowsOf(3), total: 3 },
  ])
  expect(await run).toBe(3)
  expect(file).toEqual(["r1", "r2", "r3"])
})

test("a row that shifted to the next page is written once, and the whole is read again past the caches", async () => {
  const { run, file, asked } = stream([
    { data: rowsOf(1, 2), total: 3 },
    { data: rowsOf(2), total: 3 },
    { data: rowsOf(0, 1), total: 3 },
    { data: rowsOf(2), total: 3 },
  ])
  expect(await run).toBe(3)
  expect(file).toEqual(["r0", "r1", "r2"])
  expect(asked).toEqual([
    [1, false],
    [2, false],
    [1, true],
    [2, true],
  ])
})

test("when the total moves the file begins again", async () => {
  const { run, file } = stream([
    { data: rowsOf(1, 2), total: 3 },
    { data: rowsOf(3), total: 4 },
    { data: rowsOf(1, 2), total: 4 },
    { data: rowsOf(3, 4), total: 4 },
  ])
  expect(await run).toBe(4)
  expect(file).toEqual(["r1", "r2", "r3", "r4"])
})

test("a list that never stands still is given up", async () => {
  const moving = Array.from({ length: 8 }, (_, at) => ({ data: rowsOf(1, 2), total: 3 + at }))
  await expect(stream(moving).run).rejects.toThrow(KeptMoving)
})

test("without a total a short page is the last one", async () => {
  const { run, file } = stream([{ data: rowsOf(1, 2) }, { data: rowsOf(3) }])
  expect(await run).toBe(3)
  expect(file).toEqual(["r1", "r2", "r3"])
})

test("cancelled, it asks no more", async () => {
  const { run, asked, controller } = stream([{ data: rowsOf(1, 2), total: 4 }])
  controller.abort()
  await expect(run).rejects.toThrow("aborted")
  expect(asked.length).toBeLessThanOrEqual(1)
})
