import { Notice } from "../../ui/notice.tsx"
import type { KeepingNote } from "../demo-controls.ts"
import classes from "./panel-parts.module.css"

const words: Readonly<Record<KeepingNote, { readonly title: string; readonly body: string }>> = {
  discarded: {
    title: "The demo was reset",
    body: "The saved state of an earlier visit is damaged or from another version, so it wasn’t used.",
  },
  "not-kept": {
    title: "This browser doesn’t save anything",
    body: "It doesn’t allow saving. Everything works, but a reload starts over.",
  },
}

/** What a person should know about the kept state. */
export function KeepingNotice({ note, onClose }: { note: KeepingNote; onClose: () => void }) {
  return (
    <Notice
      tone="warning"
      title={words[note].title}
      action={
        <button type="button" className={classes.link} onClick={onClose}>
          Understood
        </button>
      }
    >
      {words[note].body}
    </Notice>
  )
}
