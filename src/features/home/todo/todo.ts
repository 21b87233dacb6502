import type { UseQueryResult } from "@tanstack/react-query"
import type { Icon } from "@tabler/icons-react"
import type { LinkProps } from "@tanstack/react-router"

/** Something that waits for a person: what, which of it first, and where it is done. */
export interface OpenTodo {
  readonly icon: Icon
  readonly tone: "info" | "warning" | "grey"
  /** How many of what: "14 orders to ship". */
  readonly title: string
  /** Which of them comes first. */
  readonly about: string
  readonly link: LinkProps
  /** What is done there, in a word. */
  readonly label: string
  /** The one thing to do. */
  readonly first?: boolean
}

/** One line of what needs doing, in the state its answer is in. `clear`: nothing waits. */
export type Todo =
  | { readonly state: "reading" }
  | { readonly state: "clear" }
  | { readonly state: "failed"; readonly error: Error; readonly what: string; readonly retry: () => void }
  | ({ readonly state: "open" } & OpenTodo)

/**
 * A line from an answer. What was read stays when reading it again fails.
 * @param what what did not happen: "The orders were not loaded."
 * @param open the line, or undefined when nothing waits
 */
export function todoOf<T>(
  { data, error, isPending, refetch }: UseQueryResult<T>,
  what: string,
  open: (data: T) => OpenTodo | undefined,
): Todo {
  if (data !== undefined) {
    const found = open(data)
    return found === undefined ? { state: "clear" } : { state: "open", ...found }
  }
  if (error !== null && !isPending) return { state: "failed", error, what, retry: () => void refetch() }
  return { state: "reading" }
}
