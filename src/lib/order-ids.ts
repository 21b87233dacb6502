/** The id a typed text means: itself where it begins as orders do, else its digits behind the letters of an `example`. */
export function namedOrder(text: string, example: string | undefined): string | undefined {
  const letters = /^\D+/.exec(example ?? "")?.[0]
  if (/^\d{3,}$/.test(text)) return example === undefined ? undefined : `${letters ?? ""}${text}`
  if (/\s/.test(text) || !/\d/.test(text)) return undefined
  const begins = letters ?? "ord"
  return text.toLowerCase().startsWith(begins.toLowerCase())
    ? `${begins}${text.slice(begins.length)}`
    : undefined
}
