import { useQuery } from "@tanstack/react-query"
import { useCan, useSession } from "../../api/session.ts"
import { usersQuery } from "../../api/users.ts"

/** A person as rows name them. */
interface Person {
  readonly id: string
  readonly name: string
}

/** People to choose from: all users for who may see them, else those in the rows; and whoever is chosen. */
export function usePeople(seen: readonly Person[], chosen: string | undefined) {
  const me = useSession().user
  const users = useQuery({ ...usersQuery, enabled: useCan("users.manage") }).data ?? []
  const people = new Map<string, string>()
  if (chosen !== undefined) people.set(chosen, chosen)
  for (const { id, name } of seen) people.set(id, name)
  for (const user of users) people.set(user.id, user.name)
  people.set(me.id, `${me.name} (you)`)
  return [...people]
    .map(([value, label]) => ({ value, label }))
    .toSorted((one, other) => one.label.localeCompare(other.label, "en-AU"))
}
