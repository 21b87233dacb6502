import { useQuery } from "@tanstack/react-query"
import { noteQuery } from "../../../api/notes.ts"
import { useCan } from "../../../api/session.ts"
import { ErrorNotice } from "../../../ui/error-notice.tsx"
import { SkeletonRows } from "../../../ui/query-state.tsx"
import { NoteEditor } from "./note-editor.tsx"
import { NoteMeta } from "./note-meta.tsx"
import classes from "./notes-tab.module.css"

/** The desk's own note about a member. */
export function NotesTab({ memberId }: { memberId: string }) {
  const { data: answer, error, refetch } = useQuery(noteQuery("member", memberId))
  const mayWrite = useCan("notes.write")
  return (
    <div className={classes.notes}>
      {error !== null && (
        <ErrorNotice
          error={error}
          what={answer === undefined ? "Couldn’t load the note." : "Couldn’t refresh the note."}
          onRetry={() => void refetch()}
        />
      )}
      {answer === undefined && error === null && <SkeletonRows rows={3} columns={[320]} />}
      {answer !== undefined && mayWrite && (
        <NoteEditor key={`${memberId} ${answer.data.version}`} note={answer.data} />
      )}
      {answer !== undefined && !mayWrite && (
        <>
          <p className={classes.text}>
            {answer.data.text === "" ? <span className="text-muted">No note yet</span> : answer.data.text}
          </p>
          <NoteMeta note={answer.data} />
        </>
      )}
      <p className={classes.help}>
        Only this desk sees notes; the program service does not.
        {mayWrite
          ? " A note is saved when you press Save note."
          : " Only managers and administrators can write notes."}
      </p>
    </div>
  )
}
