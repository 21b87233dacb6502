import Papa from "papaparse"

/** What may stand between two cells. */
export const delimiters = [",", ";", "\t", "|"] as const
/** What stands between two cells. */
export type Delimiter = (typeof delimiters)[number]

/** How a delimiter is called for people. */
export const delimiterLabels: Readonly<Record<Delimiter, string>> = {
  ",": "comma",
  ";": "semicolon",
  "\t": "tab",
  "|": "pipe",
}

/** Rows that are looked at. */
const sampleRows = 60
/** Characters that are looked at: more than sixty rows of ordinary text. */
const sampleCharacters = 100_000

/** What is taken from a score so that it loses against an equal one. */
const doubt = 0.005

/** The line by which Excel names the delimiter: `sep=;`. */
const named = /^sep=([,;\t|])\n/i

/** The delimiter that the first line names, and the text without that line. */
export function namedDelimiter(text: string): { delimiter: Delimiter | null; text: string } {
  const sign = named.exec(text)?.[1]
  const delimiter = delimiters.find((each) => each === sign) ?? null
  return { delimiter, text: delimiter === null ? text : text.slice(text.indexOf("\n") + 1) }
}

/**
 * The delimiter that cuts most rows into the same number of cells, more than one. A single column has none: a comma is
 * as good as any.
 */
export function detectDelimiter(text: string): Delimiter {
  const sample = text.slice(0, sampleCharacters)
  let best: Delimiter = ","
  let bestScore = 0
  for (const delimiter of delimiters) {
    // A comma that only stands between digits is more likely a decimal one.
    const decimal = delimiter === "," && !/(^|[^\d]),|,([^\d]|$)/m.test(sample)
    const score = evenness(sample, delimiter) - (decimal ? doubt : 0)
    if (score > bestScore) {
      best = delimiter
      bestScore = score
    }
  }
  return best
}

/** 0 when nothing is cut; else the share of rows with the commonest width, plus a little for more columns. */
function evenness(sample: string, delimiter: Delimiter): number {
  const { data } = Papa.parse<string[]>(sample, { delimiter, newline: "\n", preview: sampleRows })
  const rows = data.filter((row) => row.some((cell) => cell.trim() !== ""))
  const widths = new Map<number, number>()
  for (const row of rows) widths.set(row.length, (widths.get(row.length) ?? 0) + 1)
  let score = 0
  for (const [width, count] of widths) {
    if (width > 1) score = Math.max(score, count / rows.length + Math.min(width, 20) / 100)
  }
  return score
}
