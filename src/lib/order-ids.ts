/** Prefixes that shops and carriers write before an order's digits: `#20411`, `ORD-20411`, `Order #20411`, `20411`. */
const shortForm = /^(?:orders?|ord|so|nr|no|bestellung|auftrag|commande|pedido)?[\s.:_#-]*(\d{3,12})$/i

/** The id after a `#` or the word "order": `#ord_20411`. */
const introduced = /^(?:order\s*)?#\s*(?=\S)/i

const withoutIntroduction = (text: string) => text.trim().replace(introduced, "")

/** The digits of an order's short form; undefined for any other text. */
export function shortOrder(text: string): string | undefined {
  return shortForm.exec(withoutIntroduction(text))?.[1]
}

const digitsOf = (id: string) => /^\D*(\d+)$/.exec(id)?.[1]

/** Returns a lookup for these orders: the one with this id, else all whose digits equal those of the short form. */
export function orderFinder(ids: Iterable<string>): (text: string) => readonly string[] {
  const all = [...new Set(ids)]
  const byId = Map.groupBy(all, (id) => id.toLowerCase())
  const byDigits = Map.groupBy(all, digitsOf)
  return (text) => {
    const exact = byId.get(withoutIntroduction(text).toLowerCase())
    const digits = shortOrder(text)
    return exact ?? (digits === undefined ? [] : (byDigits.get(digits) ?? []))
  }
}

/** Whether a text is a short form and not a full id, judged by an `example` id. */
export function isShortForm(text: string, example: string | undefined): boolean {
  return shortOrder(text) !== undefined && namedOrder(text, example) !== text
}

/** The id for a text that matches no known order: its digits after the letters of an `example`, or the text itself. */
export function namedOrder(text: string, example: string | undefined): string | undefined {
  const letters = /^\D+/.exec(example ?? "")?.[0]
  const digits = shortOrder(text)
  const bare = withoutIntroduction(text)
  if (digits !== undefined && example !== undefined) return `${letters ?? ""}${digits}`
  if (/^\d+$/.test(bare) || /\s/.test(bare) || !/\d/.test(bare)) return undefined
  const begins = letters ?? "ord_"
  return bare.toLowerCase().startsWith(begins.toLowerCase())
    ? `${begins}${bare.slice(begins.length)}`
    : undefined
}
