import { useEffect, useState } from "react"
import { useWatch } from "react-hook-form"
import { saveNoteBody, type Note } from "../../../../contract/desk/note.ts"
import { limits } from "../../../../contract/limits.ts"
import { currentNoteOf, useSaveNote } from "../../../api/notes.ts"
import { useSession } from "../../../api/permissions.ts"
import { InlineForm } from "../../../form/inline-form.tsx"
import { TextAreaField } from "../../../form/text-area-field.tsx"
import { useDeskForm } from "../../../form/use-desk-form.ts"
import { formatCount } from "../../../lib/format.ts"
import { z } from "../../../lib/z.ts"
import { NoteConflict } from "./note-conflict.tsx"
import { NoteMeta } from "./note-meta.tsx"
import classes from "./notes-tab.module.css"

const schema = z.pick(saveNoteBody, { text: true })
const shape = z.object({ text: z.string() })
type NoteValues = z.output<typeof shape>

/** Writes the note. A note that somebody else saves meanwhile never takes the place of what is typed here. */
export function NoteEditor({ note }: { note: Note }) {
  const userId = useSession().user.id
  const save = useSaveNote("member", note.id)
  // The note that is edited: it follows the one that was read only while nothing is typed.
  const [base, setBase] = useState(note)
  const form = useDeskForm<NoteValues, NoteValues>({
    schema,
    values: { text: base.text },
    draft: { key: `${userId}:note:member:${note.id}`, shape },
  })
  const { control, reset, setValue, formState } = form.methods
  const { isDirty } = formState
  const length = useWatch({ control, name: "text" }).length
  const theirs = currentNoteOf(save.error)

  useEffect(() => {
    if (isDirty || note.version <= base.version) return
    setBase(note)
    reset({ text: note.text })
  }, [note, base.version, isDirty, reset])

  const goOn = (text: string, from: Note) => {
    setBase(from)
    reset({ text: from.text })
    setValue("text", text, { shouldDirty: true })
    save.reset()
  }

  return (
    <>
      {theirs !== null && (
        <NoteConflict theirs={theirs} yours={form.methods.getValues("text")} onDecided={goOn} />
      )}
      <InlineForm
        label="Note"
        form={form}
        onSubmit={async ({ text }) => {
          const saved = await save.mutateAsync({ text, version: base.version })
          setBase(saved.data)
          reset({ text: saved.data.text })
          form.dropDraft()
        }}
        submitError={theirs === null ? save.error : null}
        busy={save.isPending}
        notDone="The note was not saved."
        action="Save note"
        running="Saving note"
        aside={
          <>
            <NoteMeta note={base} />
            {length > limits.note * 0.8 && (
              <span className={classes.meta}>
                {formatCount(length)} of {formatCount(limits.note)} characters
              </span>
            )}
          </>
        }
      >
        <TextAreaField control={control} name="text" label="Note" optional rows={8} />
      </InlineForm>
    </>
  )
}
