import { countryCodes } from "../../../../contract/program/common.ts"

/** A country of the list. */
export interface Country {
  /** ISO 3166-1 alpha-2, as it is sent. */
  readonly code: string
  /** In the person's language. */
  readonly name: string
}

/**
 * The countries by name, in the languages the person reads. Codes the platform has no name for are left out.
 * @param languages such as `navigator.languages`
 */
export function countriesIn(languages: readonly string[]): Country[] {
  const names = new Intl.DisplayNames([...languages], { type: "region", fallback: "none" })
  const order = new Intl.Collator([...languages], { sensitivity: "base" })
  return countryCodes
    .flatMap((code): Country[] => {
      const name = names.of(code)
      return name === undefined ? [] : [{ code, name }]
    })
    .toSorted((one, other) => order.compare(one.name, other.name))
}

/** Countries whose name, or code, begins with a text; then those that hold it. Accents may be left out. */
export function countriesFor(countries: readonly Country[], text: string): Country[] {
  const typed = plain(text.trim())
  if (typed === "") return [...countries]
  const begins = countries.filter(({ code, name }) => plain(code) === typed || plain(name).startsWith(typed))
  const holds = countries.filter((each) => !begins.includes(each) && plain(each.name).includes(typed))
  return [...begins, ...holds]
}

function plain(word: string): string {
  return word.normalize("NFD").replaceAll(/\p{M}/gu, "").toLocaleLowerCase()
}
