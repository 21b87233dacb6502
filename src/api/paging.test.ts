import { describe, expect, it, vi } from "vitest"
import * as fc from "fast-check"
import { KeptMoving, readEveryPage, requestsFor } from "./paging.ts"
import type { Answer } from "./request.ts"

interface Row {
  readonly id: string
}

const rowsOf = (count: number): Row[] => Array.from({ length: count }, (_, at) => ({ id: `r${at}` }))
const idOf = (row: Row) => row.id

function answer(rows: Row[], total: number | undefined, at = 0): Answer<Row[]> {
  return { data: rows, ...(total === undefined ? {} : { meta: { total } }), age: 0, at, stale: false }
}

/** Reads pages of a list that may change between two requests. */
function reader(listAt: (request: number) => Row[]) {
  let requests = 0
  return vi.fn<(page: number, perPage: number, fresh: boolean) => Promise<Answer<Row[]>>>(
    async (page, perPage) => {
      const list = listAt((requests += 1))
      return answer(list.slice((page - 1) * perPage, page * perPage), list.length, 1000 - requests)
    },
  )
}

describe("reading every page", () => {
  it("reads a list of any length once, in as many requests as announced", async () => {
    await fc.assert(
      fc.asyncProperty(fc.nat(40), fc.integer({ min: 1, max: 12 }), async (count, perPage) => {
        const read = reader(() => rowsOf(count))
        const every = await readEveryPage({ read, idOf, perPage })
        expect(every.rows).toEqual(rowsOf(count))
        expect(read).toHaveBeenCalledTimes(requestsFor(count, perPage))
      }),
    )
  })

  it("is as old as its oldest page", async () => {
    const every = await readEveryPage({ read: reader(() => rowsOf(5)), idOf, perPage: 2 })
    expect(every.at).toBe(997)
  })

  it("begins again, past the caches, when the total moves", async () => {
    const read = reader((request) => rowsOf(request < 2 ? 4 : 5))
    const restarts: number[] = []
    const every = await readEveryPage({
      read,
      idOf,
      perPage: 2,
      onProgress: (progress) => restarts.push(progress.restarts),
    })
    expect(every.rows).toHaveLength(5)
    expect(read.mock.calls.map(([page, , fresh]) => [page, fresh])).toEqual([
      [1, false],
      [2, false],
      [1, true],
      [2, true],
      [3, true],
    ])
    expect(Math.max(...restarts)).toBe(1)
  })

  it("begins again when a row slipped between two pages without the total moving", async () => {
    const shifted = [{ id: "new" }, ...rowsOf(3)]
    const read = reader((request) => (request === 1 ? rowsOf(4) : shifted))
    const every = await readEveryPage({ read, idOf, perPage: 2 })
    expect(every.rows).toEqual(shifted)
  })

  it("gives up when the list moves every time", async () => {
    const read = reader((request) => rowsOf(10 + request))
    await expect(readEveryPage({ read, idOf, perPage: 5 })).rejects.toThrow(KeptMoving)
    expect(read).toHaveBeenCalledTimes(8)
  })

  it("stops between two pages when somebody cancels", async () => {
    const cancel = new AbortController()
    const read = reader(() => rowsOf(10))
    const reading = readEveryPage({
      read,
      idOf,
      perPage: 2,
      signal: cancel.signal,
      onProgress: ({ done }) => {
        if (done === 2) cancel.abort()
      },
    })
    await expect(reading).rejects.toThrow(DOMException)
    expect(read).toHaveBeenCalledTimes(2)
  })

  it("without a total reads until a page that is not full", async () => {
    const every = await readEveryPage({
      read: async (page) => answer(rowsOf(5).slice((page - 1) * 2, page * 2), undefined),
      idOf,
      perPage: 2,
    })
    expect(every.rows).toHaveLength(5)
  })
})
