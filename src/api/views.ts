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

// The session carries them, so that a list opens with its default view at once.
const taken = (client: QueryClient, views: ListViews) =>
  client.setQueryData(sessionQuery.queryKey, (session) => session && { ...session, views })

/** Saves a view, a new one under a new id. */
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

/** Chooses the view that the person's list opens with; null: none. */
export function useDefaultView(list: ViewedList) {
  return useWrite(
    (view: string | null) =>
      requestData({ method: "PUT", path: apiPath("default-views", list), body: { view }, schema: listViews }),
    taken,
  )
}
