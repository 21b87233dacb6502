import { queryOptions, useMutation, useQueryClient } from "@tanstack/react-query"
import { note, type Note, type noteKinds, type SaveNoteBody } from "../../contract/notes.ts"
import * as z from "zod/mini"
import { ApiError } from "../lib/errors.ts"
import { registerTopic } from "./events.ts"
import { type Answer, apiPath, request } from "./request.ts"

/** Kinds of records that carry notes. */
type NoteKind = (typeof noteKinds)[number]

registerTopic("note", ["notes"])

/** The note kept here about a record. It is one request to the desk's own store and none to a service. */
export function noteQuery(kind: NoteKind, id: string) {
  return queryOptions({
    queryKey: ["notes", kind, id],
    queryFn: ({ signal }): Promise<Answer<Note>> =>
      request({ path: apiPath("notes", kind, id), schema: note, signal }),
  })
}

/**
 * Saves the note. `version` is the one the person began from.
 * Rejects with ApiError `conflict` when somebody saved another meanwhile; theirs is then what the page has.
 */
export function useSaveNote(kind: NoteKind, id: string) {
  const queryClient = useQueryClient()
  return useMutation({
    mutationFn: (body: SaveNoteBody): Promise<Answer<Note>> =>
      request({ method: "PUT", path: apiPath("notes", kind, id), body, schema: note }),
    onSuccess: (answer) => {
      queryClient.setQueryData(noteQuery(kind, id).queryKey, answer)
    },
    onError: (error) => {
      const current = currentNoteOf(error)
      if (current === null) return
      const answer = { data: current, age: 0, at: Date.now(), stale: false }
      queryClient.setQueryData(noteQuery(kind, id).queryKey, answer)
    },
  })
}

const conflictDetails = z.looseObject({ current: note })

function currentNoteOf(error: unknown): Note | null {
  if (!(error instanceof ApiError) || error.code !== "conflict") return null
  return conflictDetails.safeParse(error.details).data?.current ?? null
}
