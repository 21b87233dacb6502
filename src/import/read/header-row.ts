/** Where the names of the columns stand, and what else is above the rows. */
export interface Header {
  /** Place of the row with the names; null when the first row is data already. */
  readonly at: number | null
  /** Sentences about rows that are not read, for people. */
  readonly notes: readonly string[]
}

/** Rows among which the names are looked for: a title or two may stand above them. */
const searched = 5

/**
 * Finds the row with the columns' names: the one of the first rows that has most known names. Without any known name
 * the first row is taken for names unless it looks like data.
 * @param isName whether a text is a name of a field
 */
export function findHeader(
  rows: readonly (readonly string[])[],
  numbers: readonly number[],
  isName: (text: string) => boolean,
): Header {
  let best: number | null = null
  let most = 0
  for (const [at, row] of rows.slice(0, searched).entries()) {
    const known = row.filter(isName).length
    if (known > most) {
      best = at
      most = known
    }
  }
  if (best !== null) return { at: best, notes: best > 0 ? [above(numbers.slice(0, best))] : [] }
  const first = rows[0]
  return { at: first === undefined || first.some(isData) ? null : 0, notes: [] }
}

function above(numbers: readonly number[]): string {
  return numbers.length === 1
    ? `Row ${numbers[0]} is above the column names and is ignored.`
    : `Rows ${numbers[0]} to ${numbers.at(-1)} are above the column names and are ignored.`
}

/** A number with at least two digits, an e-mail address, or an id: letters and digits in one word. */
function isData(text: string): boolean {
  return (
    /^[+\-\u2212]?\d[\d., \u00A0]*\d$/.test(text) ||
    /^\S+@\S+\.\S+$/.test(text) ||
    /^(?=\S*\d\S*\d)\S{6,}$/.test(text)
  )
}

/** Whether a row below the names is a second line of names: at least one known name, and no figure in any cell. */
export function isSecondHeader(row: readonly string[], isName: (text: string) => boolean): boolean {
  return row.some(isName) && row.every((cell) => !/\d/.test(cell))
}
