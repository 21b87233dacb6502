import type { QueryClient } from "@tanstack/react-query"
import {
  type ListView,
  type ListViews,
  listViews,
  type ViewBody,
  type ViewedList,
} from "../../contract/views.ts"
import { useWrite } from "./paging.ts"
import { apiPath, requestData } from "./request.ts"
import { sessionQuery } from "./session.ts"

// The session contains the views, so that a list opens with its default view without a request.
const taken = (client: QueryClient, views: ListViews) =>
  client.setQueryData(sessionQuery.queryKey, (session) => session && { ...session, views })

/** Saves a view, under a new id if it is new. */
export function useSaveView() {
  return useWrite(
    ({ id, list, name, shared, search, columns }: ViewBody & Pick<ListView, "id">) =>
      requestData({
        method: "PUT",
        path: apiPath("views", id),
        body: { list, name, shared, search, columns },
        schema: listViews,
      }),
    taken,
  )
}

export function useDeleteView() {
  return useWrite(
    (id: string) => requestData({ method: "DELETE", path: apiPath("views", id), schema: listViews }),
    taken,
  )
}

/** Sets the default view of the user's list; null for none. */
export function useDefaultView(list: ViewedList) {
  return useWrite(
    (view: string | null) =>
      requestData({ method: "PUT", path: apiPath("default-views", list), body: { view }, schema: listViews }),
    taken,
  )
}
