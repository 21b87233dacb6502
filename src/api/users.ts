import type { QueryClient } from "@tanstack/react-query"
import {
  createdUser,
  type CreateUserBody,
  appUser,
  ownSession,
  type AppUser,
  passwordLink,
  type UpdateUserBody,
} from "../../contract/users.ts"
import * as z from "zod/mini"
import { registerTopic } from "./events.ts"
import { useWrite } from "./paging.ts"
import { apiPath, dataQuery, requestData } from "./request.ts"
import { sessionQuery } from "./session.ts"

/** Everybody who may sign in. Administrators only. */
export const usersQuery = dataQuery(["users"], { path: ["users"], schema: z.array(appUser) })

registerTopic("users", usersQuery.queryKey)

/** One of them. */
export function userQuery(id: string) {
  return dataQuery(["users", id], { path: ["users", id], schema: appUser })
}

/**
 * Creates a user. The response carries the one-time link, so it leaves memory with the page that shows it.
 * Refused with a problem on `email` when somebody has that address already.
 */
export function useCreateUser() {
  return useWrite(
    (body: CreateUserBody) =>
      requestData({ method: "POST", path: apiPath("users"), body, schema: createdUser }),
    (client, { user }) => cacheUser(client, user),
    { gcTime: 0 },
  )
}

/** Renames, changes the role of, disables or enables a user. Disabling ends every session of theirs at once. */
export function useUpdateUser(id: string) {
  return useWrite(
    (body: UpdateUserBody) =>
      requestData({ method: "PATCH", path: apiPath("users", id), body, schema: appUser }),
    cacheUser,
  )
}

/** Makes a new one-time password link. Earlier links of the user stop working. */
export function usePasswordLink(id: string) {
  return useWrite(
    () => requestData({ method: "POST", path: apiPath("users", id, "link"), schema: passwordLink }),
    undefined,
    { gcTime: 0 },
  )
}

async function cacheUser(client: QueryClient, user: AppUser): Promise<void> {
  client.setQueryData(userQuery(user.id).queryKey, user)
  const isSelf = client.getQueryData(sessionQuery.queryKey)?.user.id === user.id
  await Promise.all([
    client.invalidateQueries({ queryKey: usersQuery.queryKey, exact: true }),
    isSelf && client.invalidateQueries({ queryKey: sessionQuery.queryKey }),
  ])
}

/** One's own sessions on all devices. */
export const ownSessionsQuery = dataQuery(["own-sessions"], {
  path: ["session", "list"],
  schema: z.array(ownSession),
})

registerTopic("session", ownSessionsQuery.queryKey)

/** Ends another session of one's own, or all others. */
export function useEndSession() {
  return useWrite(
    ({ id }: { id?: string }) => {
      const path = apiPath("session", "list", ...(id === undefined ? [] : [id]))
      return requestData({ method: "DELETE", path, schema: z.array(ownSession) })
    },
    (client, left) => client.setQueryData(ownSessionsQuery.queryKey, left),
  )
}
