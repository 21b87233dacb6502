const bits = 32

/** A set of row numbers that is read in their order, one bit for each row. */
export class RowSet {
  private words = new Uint32Array(8)

  add(row: number): void {
    const word = Math.floor(row / bits)
    if (word >= this.words.length) {
      const grown = new Uint32Array(Math.max(word + 1, this.words.length * 2))
      grown.set(this.words)
      this.words = grown
    }
    this.words[word] = this.wordAt(word) | (1 << (row % bits))
  }

  delete(row: number): void {
    const word = Math.floor(row / bits)
    if (word < this.words.length) this.words[word] = this.wordAt(word) & ~(1 << (row % bits))
  }

  /** The smallest number above `row`; undefined if there is none. */
  next(row: number): number | undefined {
    const from = row + 1
    let word = Math.floor(from / bits)
    let rest = this.wordAt(word) & (-1 << (from % bits))
    while (rest === 0) {
      word += 1
      if (word >= this.words.length) return undefined
      rest = this.wordAt(word)
    }
    return word * bits + (31 - Math.clz32(rest & -rest))
  }

  /** All of them, in order. */
  *[Symbol.iterator](): Generator<number> {
    for (let row = this.next(-1); row !== undefined; row = this.next(row)) yield row
  }

  private wordAt(word: number): number {
    return this.words[word] ?? 0
  }
}
