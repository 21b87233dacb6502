import { useState } from "react"
import * as z from "zod/mini"

/** Columns somebody showed or hid against the default, by column id. */
export type ColumnChoice = Readonly<Record<string, boolean>>

const stored = z.catch(z.record(z.string(), z.boolean()), {})

/**
 * The columns chosen for a list, kept in this browser. Only departures from the default are kept, so a column
 * that is added later appears by itself.
 * @param list names the list, for the browser's storage
 */
export function useColumnChoice(list: string) {
  const key = `laurel-columns-${list}`
  const [choice, setChoice] = useState(() => read(key))
  const choose = (next: ColumnChoice) => {
    setChoice(next)
    keep(key, next)
  }
  return [choice, choose] as const
}

function read(key: string): ColumnChoice {
  try {
    return stored.parse(JSON.parse(localStorage.getItem(key) ?? "{}"))
  } catch {
    return {}
  }
}

function keep(key: string, choice: ColumnChoice): void {
  try {
    if (Object.keys(choice).length === 0) localStorage.removeItem(key)
    else localStorage.setItem(key, JSON.stringify(choice))
  } catch {
    // Private windows may refuse: the choice then lasts as long as the page.
  }
}
