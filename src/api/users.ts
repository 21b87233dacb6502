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

/** All users. Administrators only. */
export const usersQuery = dataQuery(["users"], { path: ["users"], schema: z.array(appUser) })

registerTopic("users", usersQuery.queryKey)

/** One user. */
export function userQuery(id: string) {
  return dataQuery(["users", id], { path: ["users", id], schema: appUser })
}

/**
 * Creates a user. The response contains the one-time link, so it is removed from memory with the page. Rejects with a
 * problem on `email` when the address is in use.
 */
export function useCreateUser() {
  return useWrite(
    (body: CreateUserBody) =>
      requestData({ method: "POST", path: apiPath("users"), body, schema: createdUser }),
    (client, { user }) => cacheUser(client, user),
    { gcTime: 0 },
  )
}

/** Changes a user's name or role, disables or enables them. Disabling ends all their sessions. */
export function useUpdateUser(id: string) {
  return useWrite(
    (body: UpdateUserBody) =>
      requestData({ method: "PATCH", path: apiPath("users", id), body, schema: appUser }),
    cacheUser,
  )
}

/** Creates a one-time password link. Earlier links of the user stop working. */
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

/** The user's own sessions on all devices. */
export const ownSessionsQuery = dataQuery(["own-sessions"], {
  path: ["session", "list"],
  schema: z.array(ownSession),
})

registerTopic("session", ownSessionsQuery.queryKey)

/** Ends one of the user's other sessions, or all of them. */
export function useEndSession() {
  return useWrite(
    ({ id }: { id?: string }) => {
      const path = apiPath("session", "list", ...(id === undefined ? [] : [id]))
      return requestData({ method: "DELETE", path, schema: z.array(ownSession) })
    },
    (client, left) => client.setQueryData(ownSessionsQuery.queryKey, left),
  )
}
