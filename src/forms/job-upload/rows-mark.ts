/**
 * A short mark of rows in their order: other rows, or the same in another order, have another one. It keeps an
 * interrupted hand-over from going on with rows that were changed meanwhile; nobody's safety rests on it beyond that.
 */
export class RowsMark {
  #high = 0xde_ad_be_ef
  #low = 0x41_c6_ce_57

  add(rows: readonly unknown[]): void {
    const text = JSON.stringify(rows)
    for (let at = 0; at < text.length; at += 1) {
      const unit = text.charCodeAt(at)
      this.#high = Math.imul(this.#high ^ unit, 2_654_435_761)
      this.#low = Math.imul(this.#low ^ unit, 1_597_334_677)
    }
  }

  /** 16 hexadecimal digits. */
  toString(): string {
    return hex(this.#high ^ (this.#low >>> 13)) + hex(this.#low ^ (this.#high >>> 16))
  }
}

function hex(word: number): string {
  return (word >>> 0).toString(16).padStart(8, "0")
}
