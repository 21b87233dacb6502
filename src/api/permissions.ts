import { useQuery } from "@tanstack/react-query"
import { useState } from "react"
import type { Session } from "../../contract/desk/session.ts"
import type { Grant, Permission } from "../../contract/roles.ts"
import { sessionQuery } from "./session.ts"

/**
 * Who is signed in. Only for what stands inside the desk, whose route has made sure of a session. While somebody
 * signs out, the page that is about to go keeps whom it knew.
 * @throws Error outside it
 */
export function useSession(): Session {
  const { data } = useQuery(sessionQuery)
  const [known, setKnown] = useState(data)
  if (data && data !== known) setKnown(data)
  const current = data ?? known
  if (!current) throw new Error("This part of the page needs a session.")
  return current
}

/** Whether a session has a permission at all, by what the server granted it. */
export function sessionCan(session: Session, permission: Permission): boolean {
  const grant = session.permissions[permission]
  return grant !== undefined && grant !== ("no" satisfies Grant)
}

/** Whether the person has a permission at all. The server decides again; this only explains beforehand. */
export function useCan(permission: Permission): boolean {
  const { data } = useQuery(sessionQuery)
  return data ? sessionCan(data, permission) : false
}
