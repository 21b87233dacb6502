/** A page of the list that was read. */
export interface ReadPage {
  readonly page: number
  readonly perPage: number
  /** Rows the service sent. */
  readonly rows: number
  /** Those of them that match what is asked for. */
  readonly kept: number
}

/** How many orders there are, as far as pages that were read tell. */
export interface KnownTotal {
  readonly count: number
  /** A page with fewer rows than asked was seen: there are no more. Otherwise there are at least so many. */
  readonly exact: boolean
}

/**
 * How many orders a filter matches. The service never says it: a full page only says that there are so many, a short
 * one that it was the last.
 * @param filtered rows are filtered again here, so rows of pages that were not read cannot be counted by their place
 */
export function knownTotal(pages: readonly ReadPage[], filtered: boolean): KnownTotal | undefined {
  if (pages.length === 0) return undefined
  return filtered ? countedTotal(pages) : placedTotal(pages)
}

function placedTotal(pages: readonly ReadPage[]): KnownTotal {
  const ends = pages
    .filter(({ rows }) => rows > 0)
    .map(({ page, perPage, rows }) => (page - 1) * perPage + rows)
  const least = Math.max(0, ...ends)
  const exact = pages.some(
    ({ page, perPage, rows }) => rows < perPage && (page - 1) * perPage + rows <= least,
  )
  return { count: least, exact }
}

/** Pages from the first one on, of one size; a short one ends them. */
function countedTotal(pages: readonly ReadPage[]): KnownTotal {
  const best = [...Map.groupBy(pages, ({ perPage }) => perPage).values()].map((same) => {
    const inOrder = same.toSorted((one, other) => one.page - other.page)
    const count = inOrder.reduce((sum, { kept }) => sum + kept, 0)
    const unbroken = inOrder.every(({ page }, at) => page === at + 1)
    const last = inOrder.at(-1)
    return { count, exact: unbroken && last !== undefined && last.rows < last.perPage }
  })
  return (
    best.find(({ exact }) => exact) ?? best.reduce((one, other) => (other.count > one.count ? other : one))
  )
}
