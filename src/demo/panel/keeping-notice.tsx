import { Notice } from "../../ui/notice.tsx"
import type { KeepingNote } from "../demo-controls.ts"
import classes from "./panel-parts.module.css"

const words: Readonly<Record<KeepingNote, { readonly title: string; readonly body: string }>> = {
  discarded: {
    title: "The demo began again",
    body: "What was kept from an earlier visit is damaged or of another version. It was not used and is overwritten.",
  },
  "not-kept": {
    title: "This browser keeps nothing",
    body: "It refuses to store what you change. Everything works, but a reload begins again.",
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
