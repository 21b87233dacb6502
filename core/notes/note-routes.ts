import { type Note, noteKinds, saveNoteBody } from "../../contract/notes.ts"
import { auditText } from "../audit/audit-log.ts"
import { type CoreContext, route, type Route } from "../context.ts"
import { type AppError, conflict, notFound, stored } from "../errors.ts"
import { success } from "../http.ts"
import { readBody } from "../validation.ts"

export const noteRoutes: readonly Route[] = [
  route("GET /notes/{kind}/{id}", "notes.read", ["people"], async (context, _request, params) => {
    return success(await noteOf(context, nameOf(params)))
  }),
  // What it was before, the last version first.
  route("GET /notes/{kind}/{id}/versions", "notes.read", ["people"], async (context, _request, params) => {
    const name = nameOf(params)
    const { version } = await noteOf(context, name)
    return success(await stored(context.store.notes.earlier(name.kind, name.id, version)))
  }),
  // Saves if the version is still the one the person saw; else 409 with the note.
  route("PUT /notes/{kind}/{id}", "notes.write", [], async (context, request, params) => {
    const name = nameOf(params)
    const { text, version } = readBody(request.body, saveNoteBody)
    const before = await noteOf(context, name)
    const note: Note = {
      ...name,
      text,
      version: version + 1,
      saved_at: new Date(context.clock.now()).toISOString(),
      saved_by: request.user.name,
    }
    if (before.version !== version || !(await stored(context.store.notes.save(note)))) {
      throw await savedInBetween(context, name)
    }
    context.events.publish({ topic: "note", id: `${name.kind}/${name.id}` })
    await context.audit.recordDone(request, {
      action: "note.save",
      on: { ...name, label: null },
      changes: [{ field: "note", from: auditText(before.text || null), to: auditText(text || null) }],
    })
    return success(note)
  }),
]

type NoteName = Pick<Note, "kind" | "id">

function nameOf(params: Readonly<Record<string, string>>): NoteName {
  const kind = noteKinds.find((known) => known === params.kind)
  if (kind === undefined) throw notFound("This kind of record has no notes.")
  return { kind, id: params.id ?? "" }
}

async function noteOf({ store }: CoreContext, { kind, id }: NoteName): Promise<Note> {
  const found = await stored(store.notes.get(kind, id))
  return found ?? { kind, id, text: "", version: 0, saved_at: null, saved_by: null }
}

async function savedInBetween(context: CoreContext, name: NoteName): Promise<AppError> {
  const current = await noteOf(context, name)
  return conflict(
    `${current.saved_by ?? "Someone"} saved this note after you opened it. Yours wasn’t saved. Review both and save again.`,
    { current },
  )
}
