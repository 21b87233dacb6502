import { useQuery } from "@tanstack/react-query"
import { useCan, useSession } from "../../api/session.ts"
import { usersQuery } from "../../api/users.ts"
import type { ListFilter } from "../../lists/list-filters.tsx"

interface Person {
  readonly id: string
  readonly name: string
}

/**
 * The filter by person: all users for who may see them, else those in the rows; and whoever is chosen. None for a role
 * that sees its own work alone.
 */
export function usePersonFilter(
  key: string,
  seen: readonly Person[],
  chosen: string | undefined,
  onlyOwn: boolean,
) {
  const me = useSession().user
  const users = useQuery({ ...usersQuery, enabled: useCan("users.manage") }).data ?? []
  const people = new Map<string, string>()
  if (chosen !== undefined) people.set(chosen, chosen)
  for (const { id, name } of [...seen, ...users]) people.set(id, name)
  people.set(me.id, `${me.name} (you)`)
  const choices = [...people]
    .map(([value, label]) => ({ value, label }))
    .toSorted((one, other) => one.label.localeCompare(other.label, "en-AU"))
  const filter: ListFilter = { type: "choice", key, label: "Person", choices }
  return onlyOwn ? [] : [filter]
}
