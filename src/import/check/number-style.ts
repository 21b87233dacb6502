/** What stands before the decimals of a number in this file. The other one, blanks and apostrophes group thousands. */
export type NumberStyle = "." | ","

/** Forms that only one of the two styles has; `1,250` and `1.250` are in neither list. */
const pointForms = /^[+\-\u2212]?(\d+\.\d{1,2}|\d{4,}\.\d+|\d{1,3}(,\d{3})+\.\d+|\d{1,3}(,\d{3}){2,})$/
const commaForms = /^[+\-\u2212]?(\d+,\d{1,2}|\d{4,},\d+|\d{1,3}(\.\d{3})+,\d+|\d{1,3}(\.\d{3}){2,})$/

/** A currency's sign or its code before an amount: `$`, `A$`, `AUD`. */
const currency = /^(?:[A-Z]{0,3}\p{Sc}|[A-Z]{3}\s)\s*/u

/** An amount without the currency before it. */
export function withoutCurrency(text: string): string {
  return text.replace(currency, "")
}

/** What the numbers of a file say about how they are written. */
export interface StyleEvidence {
  readonly style: NumberStyle
  /** Whether any number has a comma or a point, so that the choice matters. */
  readonly matters: boolean
}

/**
 * How the numbers of a column are written: by those that can only be read one way, else by the file's delimiter,
 * because programs that write a decimal comma separate cells by semicolons.
 */
export function detectNumberStyle(texts: Iterable<string>, delimiter: string): StyleEvidence {
  let point = 0
  let comma = 0
  let matters = false
  for (const cell of texts) {
    const text = withoutCurrency(cell)
    if (!text.includes(",") && !text.includes(".")) continue
    matters = true
    if (pointForms.test(text)) point += 1
    else if (commaForms.test(text)) comma += 1
  }
  if (point === comma) return { style: delimiter === ";" ? "," : ".", matters }
  return { style: point > comma ? "." : ",", matters }
}
