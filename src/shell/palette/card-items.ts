import { IconCreditCard } from "@tabler/icons-react"
import type { Session } from "../../../contract/users.ts"
import { sessionCan } from "../../api/session.ts"
import type { PaletteItem } from "./palette-items.ts"

/**
 * What a text may mean for gift cards: an e-mail finds the cards of who has it in the register, what looks like an id or
 * a reference (one word with a digit, `_` or `-`) is looked up at the service.
 */
export function cardItems(session: Session, text: string): PaletteItem[] {
  if (!sessionCan(session, "cards.read")) return []
  if (/^[^\s@]+@[^\s@]+$/.test(text)) return [cardsPage(`Gift cards of ${text}`, { search: text })]
  if (!/^\S{4,}$/.test(text) || !/[_\d-]/.test(text)) return []
  return [cardsPage(`Look up card ${text}`, { open: "look-up", find: text })]
}

function cardsPage(label: string, search: Readonly<Record<string, string>>): PaletteItem {
  const quoted = Object.entries(search).map(([name, value]) => [name, asParameter(value)])
  const to = `/cards?${new URLSearchParams(Object.fromEntries(quoted)).toString()}`
  return { kind: "page", id: `cards:${to}`, to, label, icon: IconCreditCard }
}

/** The router reads a parameter as JSON where it is some: a number with twenty digits would not come back whole. */
function asParameter(text: string): string {
  try {
    JSON.parse(text)
    return JSON.stringify(text)
  } catch {
    return text
  }
}
