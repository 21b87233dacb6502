import { useMutation, useQueryClient } from "@tanstack/react-query"
import { note, type Note, type SaveNoteBody } from "../../contract/notes.ts"
import * as z from "zod/mini"
import { ApiError } from "../lib/errors.ts"
import { registerTopic } from "./events.ts"
import { apiPath, dataQuery, request, responseQuery } from "./request.ts"

registerTopic("note", ["notes"])

/** Laurel's note about a record. No upstream request. */
export function noteQuery(kind: Note["kind"], id: string) {
  return responseQuery(["notes", kind, id], { path: ["notes", kind, id], schema: note })
}

/** Versions of the note before `version`, latest first. No upstream request. */
export function noteVersionsQuery({ kind, id, version }: Pick<Note, "kind" | "id" | "version">) {
  const path = ["notes", kind, id, "versions"]
  return dataQuery([...path, version], { path, schema: z.array(note) })
}

const conflictDetails = z.looseObject({ current: note })

/**
 * Saves the note. `version` is the version that was edited. Rejects with ApiError `conflict` when another version was
 * saved meanwhile, which is then cached.
 */
export function useSaveNote(kind: Note["kind"], id: string) {
  const client = useQueryClient()
  const { queryKey } = noteQuery(kind, id)
  return useMutation({
    mutationFn: (body: SaveNoteBody) =>
      request({ method: "PUT", path: apiPath("notes", kind, id), body, schema: note }),
    onSuccess: (response) => void client.setQueryData(queryKey, response),
    onError: (error) => {
      if (!(error instanceof ApiError) || error.code !== "conflict") return
      const data = conflictDetails.safeParse(error.details).data?.current
      if (data !== undefined) client.setQueryData(queryKey, { data, age: 0, at: Date.now(), stale: false })
    },
  })
}
