import { Group } from "@mantine/core"
import { useQuery } from "@tanstack/react-query"
import { useCan, useSession } from "../../api/session.ts"
import { usersQuery } from "../../api/users.ts"
import type { ListFilter } from "../../lists/list-filters.tsx"
import { Avatar, Truncate } from "../../ui/values.tsx"

/** The filter by user: all users, or those in the rows for roles that cannot list users. */
export function usePersonFilter(
  key: string,
  seen: readonly { readonly id: string; readonly name: string }[],
  chosen: string | undefined,
  onlyOwn: boolean,
): readonly ListFilter[] {
  const me = useSession().user
  const users = useQuery({ ...usersQuery, enabled: useCan("users.manage") }).data ?? []
  const people = new Map(chosen === undefined ? [] : [[chosen, chosen]])
  for (const { id, name } of [...seen, ...users]) people.set(id, name)
  people.set(me.id, `${me.name} (you)`)
  const choices = Array.from(people, ([value, label]) => ({ value, label })).toSorted((one, other) =>
    one.label.localeCompare(other.label, "en-AU"),
  )
  return onlyOwn ? [] : [{ type: "choice", key, label: "Person", choices }]
}

/** A user's name in a list row. */
export function Person({ name }: { name: string }) {
  return (
    <Group gap="sm" wrap="nowrap">
      <Avatar name={name} />
      <Truncate>{name}</Truncate>
    </Group>
  )
}
