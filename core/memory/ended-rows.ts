interface End {
  /** ms since 1970. */
  readonly at: number
  readonly row: number
}

/** Rows that came to their end, by when they did. */
export class EndedRows {
  private readonly ends: End[] = []

  add(at: number, row: number): void {
    this.ends.splice(this.placeOf(at, row), 0, { at, row })
  }

  delete(at: number, row: number): void {
    const place = this.placeOf(at, row)
    const found = this.ends[place]
    if (found?.at === at && found.row === row) this.ends.splice(place, 1)
  }

  countSince(at: number): number {
    return this.ends.length - this.placeOf(at, 0)
  }

  /** Numbers of the rows that ended after a time, the latest first. */
  *latestAfter(after: number): Generator<number> {
    for (let place = this.ends.length - 1; place >= 0; place -= 1) {
      const end = this.ends[place]
      if (end === undefined || end.at <= after) return
      yield end.row
    }
  }

  /** Where this end stands or would stand. */
  private placeOf(at: number, row: number): number {
    let low = 0
    let high = this.ends.length
    while (low < high) {
      const middle = (low + high) >>> 1
      const end = this.ends[middle]
      if (end !== undefined && (end.at < at || (end.at === at && end.row < row))) low = middle + 1
      else high = middle
    }
    return low
  }
}
