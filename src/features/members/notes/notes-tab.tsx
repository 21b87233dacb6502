import { Group, Stack } from "@mantine/core"
import { useQuery } from "@tanstack/react-query"
import { useState } from "react"
import { useWatch } from "react-hook-form"
import * as z from "zod/mini"
import { limits } from "../../../../contract/limits.ts"
import { type Note, saveNoteBody } from "../../../../contract/notes.ts"
import { noteQuery, noteVersionsQuery, useSaveNote } from "../../../api/notes.ts"
import { useCan } from "../../../api/session.ts"
import { TextAreaField } from "../../../forms/fields.tsx"
import { InlineForm, useAppForm } from "../../../forms/form.tsx"
import { useDraftKey } from "../../../forms/job-drawer.tsx"
import { readDraft } from "../../../lib/draft-store.ts"
import { formatCount } from "../../../lib/format.ts"
import { Notice } from "../../../ui/notice.tsx"
import { QueryState } from "../../../ui/query-state.tsx"
import { RelativeTime } from "../../../ui/values.tsx"
import classes from "../member-page.module.css"
import { Button } from "../../../ui/button.tsx"

/** Laurel's own note about a member. */
export function NotesTab({ memberId }: { memberId: string }) {
  const mayWrite = useCan("notes.write")
  return (
    <Stack gap={16} className={`grow scroll ${classes.panel}`}>
      <QueryState query={useQuery(noteQuery("member", memberId))} noun="note" rows={3} columns={[320]}>
        {({ data: note }) => (
          <>
            {mayWrite ? (
              <NoteEditor key={`${memberId} ${note.version}`} note={note} />
            ) : (
              <>
                <p className="wrap-anywhere" style={{ fontSize: "var(--l-fs-body)", whiteSpace: "pre-wrap" }}>
                  {note.text === "" ? <span className="text-muted">No note yet</span> : note.text}
                </p>
                <NoteMeta note={note} />
              </>
            )}
            {note.version > 1 && <EarlierVersions note={note} />}
          </>
        )}
      </QueryState>
      <p className="caption">
        Notes are kept in Laurel; the program service does not see them.
        {mayWrite
          ? " A note is saved when you press Save note."
          : " Only managers and administrators can write notes."}
      </p>
    </Stack>
  )
}

/** The note's earlier versions, loaded on request. */
function EarlierVersions({ note }: { note: Note }) {
  const [open, setOpen] = useState(false)
  const versions = useQuery({ ...noteVersionsQuery(note), enabled: open })
  return (
    <section aria-label="Earlier versions">
      <Button size="xs" aria-expanded={open} onClick={() => setOpen(!open)}>
        {open ? "Hide earlier versions" : "Show earlier versions"}
      </Button>
      {open && (
        <QueryState query={versions} noun="earlier versions" rows={2} columns={[320]}>
          {(earlier) =>
            earlier.map((version) => (
              <div key={version.version} className={`${classes.theirs} card`}>
                <NoteMeta note={version} />
                <p>{version.text === "" ? <span className="text-muted">Empty</span> : version.text}</p>
              </div>
            ))
          }
        </QueryState>
      )}
    </section>
  )
}

export function NoteMeta({ note }: { note: Note }) {
  if (note.saved_at === null) return <span className="caption">Not saved yet</span>
  return (
    <span className="caption">
      Saved {note.saved_by === null ? "" : `by ${note.saved_by} `}
      <RelativeTime at={note.saved_at} />
    </span>
  )
}

/** Another user saved the note meanwhile. The draft stays in the field below until the user decides. */
export function NoteConflict(props: { theirs: Note; yours: string; onDecided: (text: string) => void }) {
  const { theirs, yours, onDecided } = props
  const choices = {
    "Put both together": `${theirs.text}\n\n${yours}`,
    "Go on with yours": yours,
    "Take theirs": theirs.text,
  }
  return (
    <Notice
      tone="warning"
      title="Someone saved this note while you were writing"
      action={
        <Group gap={8}>
          {Object.entries(choices).map(([label, text]) => (
            <Button size="xs" key={label} onClick={() => onDecided(text)}>
              {label}
            </Button>
          ))}
        </Group>
      }
    >
      Yours was not saved and stands below. Theirs: <NoteMeta note={theirs} />
      <div className={`${classes.theirs} card`}>{theirs.text === "" ? "Empty" : theirs.text}</div>
    </Notice>
  )
}

const schema = z.pick(saveNoteBody, { text: true })
const shape = z.object({ text: z.string() })
type NoteValues = z.output<typeof shape>

/**
 * Edits one version of the note. When another user saves, a new editor replaces this one, finds the draft and asks.
 */
export function NoteEditor({ note }: { note: Note }) {
  const draftKey = useDraftKey(`note:member:${note.id}`)
  const save = useSaveNote("member", note.id)
  const [begunElsewhere, setBegunElsewhere] = useState(() => {
    const draft = readDraft(draftKey, shape)
    return draft !== null && draft.base.text !== note.text && draft.values.text !== note.text
  })
  const form = useAppForm<NoteValues, NoteValues>({
    schema: () => schema,
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
        disabled={undecided}
        notDone="Couldn’t save the note."
        action="Save note"
        running="Saving note"
        aside={
          <>
            <NoteMeta note={note} />
            {text.length > limits.note * 0.8 && (
              <span className="caption">
                {formatCount(text.length)} of {formatCount(limits.note)} characters
              </span>
            )}
          </>
        }
      >
        <TextAreaField control={control} name="text" label="Note" optional aside="" rows={8} />
      </InlineForm>
    </>
  )
}
