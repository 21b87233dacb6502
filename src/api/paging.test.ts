import { describe, expect, it, test, vi } from "vitest"
import * as fc from "fast-check"
import { ListChangedError, readEveryPage, requestsFor, streamEveryPage } from "./paging.ts"
import type { ApiResponse } from "./request.ts"

interface Row {
  readonly id: string
}

const rowsOf = (count: number): Row[] => Array.from({ length: count }, (_, at) => ({ id: `r${at}` }))
const idOf = (row: Row) => row.id

function answer(rows: Row[], total: number | undefined, at = 0): ApiResponse<Row[]> {
  return { data: rows, ...(total === undefined ? {} : { meta: { total } }), age: 0, at, stale: false }
}

/** Reads pages of a list that may change between two requests. */
function reader(listAt: (request: number) => Row[]) {
  let requests = 0
  return vi.fn<(page: number, perPage: number, fresh: boolean) => Promise<ApiResponse<Row[]>>>(
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

  it("restarts past the caches when the total changes", async () => {
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

  it("restarts when a row moved between two pages while the total stayed", async () => {
    const shifted = [{ id: "new" }, ...rowsOf(3)]
    const read = reader((request) => (request === 1 ? rowsOf(4) : shifted))
    const every = await readEveryPage({ read, idOf, perPage: 2 })
    expect(every.rows).toEqual(shifted)
  })

  it("fails when the list changes on every attempt", async () => {
    const read = reader((request) => rowsOf(10 + request))
    await expect(readEveryPage({ read, idOf, perPage: 5 })).rejects.toThrow(ListChangedError)
    expect(read).toHaveBeenCalledTimes(8)
  })

  it("stops between two pages when aborted", async () => {
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

describe("streaming every page", () => {
  const numbered = (...ids: readonly number[]): Row[] => ids.map((id) => ({ id: `r${id}` }))

  /** A list that returns `pages[n]` for the n-th request, whatever page was requested. */
  function stream(pages: readonly { data: Row[]; total?: number }[], allowChanges = false) {
    const file: string[] = []
    const requests: [number, boolean][] = []
    const controller = new AbortController()
    const run = streamEveryPage<Row>({
      perPage: 2,
      allowChanges,
      idOf: ({ id }) => id,
      read: (page, _perPage, fresh) => {
        const answer = pages[requests.length]
        requests.push([page, fresh])
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
    return { run, file, requests, controller }
  }

  test("each page is passed on when it arrives", async () => {
    const { run, file } = stream([
      { data: numbered(1, 2), total: 3 },
      { data: numbered(3), total: 3 },
    ])
    expect(await run).toBe(3)
    expect(file).toEqual(["r1", "r2", "r3"])
  })

  test("a row that moved to the next page is passed once, and the list is read again past the caches", async () => {
    const { run, file, requests } = stream([
      { data: numbered(1, 2), total: 3 },
      { data: numbered(2), total: 3 },
      { data: numbered(0, 1), total: 3 },
      { data: numbered(2), total: 3 },
    ])
    expect(await run).toBe(3)
    expect(file).toEqual(["r0", "r1", "r2"])
    expect(requests).toEqual([
      [1, false],
      [2, false],
      [1, true],
      [2, true],
    ])
  })

  test("the file restarts when the total changes", async () => {
    const { run, file } = stream([
      { data: numbered(1, 2), total: 3 },
      { data: numbered(3), total: 4 },
      { data: numbered(1, 2), total: 4 },
      { data: numbered(3, 4), total: 4 },
    ])
    expect(await run).toBe(4)
    expect(file).toEqual(["r1", "r2", "r3", "r4"])
  })

  test("a list that keeps changing fails", async () => {
    const moving = Array.from({ length: 8 }, (_, at) => ({ data: numbered(1, 2), total: 3 + at }))
    await expect(stream(moving).run).rejects.toThrow(ListChangedError)
  })

  test("allowed changes omit no row that was present throughout", async () => {
    // 1 to 6; 1 and 2 go after the first page, so that 3 and 4 move to it; 0 comes while the last one is read.
    const { run, file, requests } = stream(
      [
        { data: numbered(1, 2), total: 6 },
        { data: numbered(5, 6), total: 4 },
        { data: numbered(3, 4), total: 4 },
        { data: numbered(4, 5), total: 5 },
        { data: numbered(6), total: 5 },
      ],
      true,
    )
    expect(await run).toBe(6)
    expect(file.toSorted()).toEqual(["r1", "r2", "r3", "r4", "r5", "r6"])
    expect(requests.map(([page]) => page)).toEqual([1, 2, 1, 2, 3])
  })

  test("without a total a short page is the last one", async () => {
    const { run, file } = stream([{ data: numbered(1, 2) }, { data: numbered(3) }])
    expect(await run).toBe(3)
    expect(file).toEqual(["r1", "r2", "r3"])
  })

  test("sends no further request once aborted", async () => {
    const { run, requests, controller } = stream([{ data: numbered(1, 2), total: 4 }])
    controller.abort()
    await expect(run).rejects.toThrow("aborted")
    expect(requests.length).toBeLessThanOrEqual(1)
  })
})
