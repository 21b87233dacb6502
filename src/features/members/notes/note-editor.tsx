import { useState } from "react"
import { useWatch } from "react-hook-form"
import { saveNoteBody, type Note } from "../../../../contract/notes.ts"
import { limits } from "../../../../contract/limits.ts"
import { useSaveNote } from "../../../api/notes.ts"
import { useSession } from "../../../api/session.ts"
import { readDraft } from "../../../lib/draft-store.ts"
import { InlineForm, useDeskForm } from "../../../forms/form.tsx"
import { TextAreaField } from "../../../forms/fields.tsx"
import { formatCount } from "../../../lib/format.ts"
import * as z from "zod/mini"
import { NoteConflict } from "./note-conflict.tsx"
import { NoteMeta } from "./note-meta.tsx"
import classes from "./notes-tab.module.css"

const schema = z.pick(saveNoteBody, { text: true })
const shape = z.object({ text: z.string() })
type NoteValues = z.output<typeof shape>

/**
 * Writes the note. It stands for one version: when somebody saves another meanwhile, the next one takes its place,
 * finds what was typed here as a draft and asks.
 */
export function NoteEditor({ note }: { note: Note }) {
  const draftKey = `${useSession().user.id}:note:member:${note.id}`
  const save = useSaveNote("member", note.id)
  const [begunElsewhere, setBegunElsewhere] = useState(() => isDraftOfAnother(draftKey, note))
  const form = useDeskForm<NoteValues, NoteValues>({
    schema,
    values: { text: note.text },
    draft: { key: draftKey, shape },
  })
  const { control } = form.methods
  const text = useWatch({ control, name: "text" })
  const undecided = begunElsewhere && text !== note.text
  const decide = (chosen: string) => {
    form.rebase({ text: note.text }, { text: chosen })
    setBegunElsewhere(false)
  }
  return (
    <>
      {undecided && <NoteConflict theirs={note} yours={text} onDecided={decide} />}
      <InlineForm
        label="Laurel’s note"
        form={form}
        onSubmit={async (values) => {
          await save.mutateAsync({ text: values.text, version: note.version })
          form.dropDraft()
        }}
        submitError={save.error}
        busy={save.isPending}
        held={undecided}
        notDone="Couldn’t save the note."
        action="Save note"
        running="Saving note"
        aside={
          <>
            <NoteMeta note={note} />
            {text.length > limits.note * 0.8 && (
              <span className={classes.meta}>
                {formatCount(text.length)} of {formatCount(limits.note)} characters
              </span>
            )}
          </>
        }
      >
        <TextAreaField control={control} name="text" label="Note" optional alone rows={8} />
      </InlineForm>
    </>
  )
}

/** Whether what is typed in this tab was begun from another text than the note has now. */
function isDraftOfAnother(draftKey: string, note: Note): boolean {
  const draft = readDraft(draftKey, shape)
  return draft !== null && draft.base.text !== note.text && draft.values.text !== note.text
}
