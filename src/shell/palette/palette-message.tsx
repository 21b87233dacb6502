import { explain } from "../../lib/errors.ts"
import classes from "./palette.module.css"
import { type MemberHits, shortestSearch } from "./palette-items.ts"

interface PaletteMessageProps {
  text: string
  hits: MemberHits
  /** Nothing is offered for the text. */
  empty: boolean
}

/** What the palette has to say instead of results, or beside them when the search failed. */
export function PaletteMessage({ text, hits, empty }: PaletteMessageProps) {
  const words = messageFor({ text, hits, empty })
  return <output className={words === "" ? classes.silent : classes.message}>{words}</output>
}

function messageFor({ text, hits, empty }: PaletteMessageProps): string {
  if (hits.error !== null) {
    const { title, next } = explain(hits.error)
    return `Members weren’t searched. ${[`${title}.`, next].filter(Boolean).join(" ")}`
  }
  if (!empty) return ""
  if (hits.searching) return "Searching members…"
  if (!hits.allowed) return `No results. You can open members by id.`
  if (text.length < shortestSearch) return "Type at least two letters to search."
  return `No results for “${text}”. Search covers names and e-mails, not companies.`
}
