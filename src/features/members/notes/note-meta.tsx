import type { Note } from "../../../../contract/notes.ts"
import { RelativeTime } from "../../../ui/values.tsx"
import classes from "./notes-tab.module.css"

/** Who saved a note and when. */
export function NoteMeta({ note }: { note: Note }) {
  if (note.saved_at === null) return <span className={classes.meta}>Not saved yet</span>
  return (
    <span className={classes.meta}>
      Saved {note.saved_by === null ? "" : `by ${note.saved_by} `}
      <RelativeTime at={note.saved_at} />
    </span>
  )
}
