import { explain } from "../../api/errors.ts"
import classes from "./palette.module.css"
import { shortestSearch, type MemberHits } from "./use-member-hits.ts"

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
    return `Members were not searched. ${[`${title}.`, next].filter(Boolean).join(" ")}`
  }
  if (!empty) return ""
  if (hits.searching) return "Searching members"
  if (!hits.allowed) return `No page is called “${text}”. Your role opens members by their id.`
  if (text.length < shortestSearch) return "Two letters are enough to search."
  return `Nobody matches “${text}”. Search looks at names and e-mails, not companies.`
}
