import { queryOptions, useMutation, useQueryClient, type QueryClient } from "@tanstack/react-query"
import {
  createdUser,
  type CreateUserBody,
  appUser,
  type AppUser,
  passwordLink,
  type UpdateUserBody,
} from "../../contract/users.ts"
import * as z from "zod/mini"
import { registerTopic } from "./events.ts"
import { apiPath, requestData } from "./request.ts"
import { sessionQuery } from "./session.ts"

/** Everybody who may sign in. Administrators only. */
export const usersQuery = queryOptions({
  queryKey: ["users"],
  queryFn: ({ signal }) => requestData({ path: apiPath("users"), schema: z.array(appUser), signal }),
})

registerTopic("users", usersQuery.queryKey)

/** One of them. */
export function userQuery(id: string) {
  return queryOptions({
    queryKey: ["users", id],
    queryFn: ({ signal }) => requestData({ path: apiPath("users", id), schema: appUser, signal }),
  })
}

/**
 * Creates a user. The answer carries the one-time link, so it leaves memory with the page that shows it.
 * Refused with a problem on `email` when somebody has that address already.
 */
export function useCreateUser() {
  const queryClient = useQueryClient()
  return useMutation({
    mutationFn: (body: CreateUserBody) =>
      requestData({ method: "POST", path: apiPath("users"), body, schema: createdUser }),
    gcTime: 0,
    onSuccess: ({ user }) => takeUser(queryClient, user),
  })
}

/** Renames, changes the role of, disables or enables a user. Disabling ends every session of theirs at once. */
export function useUpdateUser(id: string) {
  const queryClient = useQueryClient()
  return useMutation({
    mutationFn: (body: UpdateUserBody) =>
      requestData({ method: "PATCH", path: apiPath("users", id), body, schema: appUser }),
    onSuccess: (user) => takeUser(queryClient, user),
  })
}

/** Makes a new one-time password link. Earlier links of the user stop working. */
export function usePasswordLink(id: string) {
  return useMutation({
    mutationFn: () =>
      requestData({ method: "POST", path: apiPath("users", id, "link"), schema: passwordLink }),
    gcTime: 0,
  })
}

async function takeUser(queryClient: QueryClient, user: AppUser): Promise<void> {
  queryClient.setQueryData(userQuery(user.id).queryKey, user)
  const isSelf = queryClient.getQueryData(sessionQuery.queryKey)?.user.id === user.id
  await Promise.all([
    queryClient.invalidateQueries({ queryKey: usersQuery.queryKey, exact: true }),
    isSelf && queryClient.invalidateQueries({ queryKey: sessionQuery.queryKey }),
  ])
}
