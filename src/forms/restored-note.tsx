import { UnstyledButton } from "@mantine/core"
import type { FieldValues } from "react-hook-form"
import classes from "./restored-note.module.css"
import type { DeskForm } from "./use-desk-form.ts"

/** Says that a draft stands in the fields, and lets it go. */
export function RestoredNote<I extends FieldValues, O>({ form }: { form: DeskForm<I, O> }) {
  if (!form.restored) return null
  return (
    <output className={classes.note}>
      Restored your unsaved changes
      <UnstyledButton className="l-link" onClick={form.startOver}>
        Discard
      </UnstyledButton>
    </output>
  )
}
