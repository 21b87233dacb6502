import { Button } from "@mantine/core"
import type { Note } from "../../../../contract/notes.ts"
import { Notice } from "../../../ui/notice.tsx"
import { NoteMeta } from "./note-meta.tsx"
import classes from "./notes-tab.module.css"

interface NoteConflictProps {
  /** The note as it is now. */
  theirs: Note
  /** What is typed here. */
  yours: string
  /** The text to go on with; nothing is saved yet. */
  onDecided: (text: string) => void
}

/** Somebody saved another note meanwhile. Yours stays in the field below until you decide. */
export function NoteConflict({ theirs, yours, onDecided }: NoteConflictProps) {
  return (
    <Notice
      tone="warning"
      title="Someone saved this note while you were writing"
      action={
        <div className={classes.choices}>
          <Button size="xs" onClick={() => onDecided(`${theirs.text}\n\n${yours}`)}>
            Put both together
          </Button>
          <Button size="xs" onClick={() => onDecided(yours)}>
            Go on with yours
          </Button>
          <Button size="xs" onClick={() => onDecided(theirs.text)}>
            Take theirs
          </Button>
        </div>
      }
    >
      Yours was not saved and stands below. Theirs: <NoteMeta note={theirs} />
      <div className={classes.theirs}>{theirs.text === "" ? "Empty" : theirs.text}</div>
    </Notice>
  )
}
