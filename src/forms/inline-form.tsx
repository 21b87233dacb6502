import { useFormState, type FieldValues } from "react-hook-form"
import type { ReactNode } from "react"
import { FormError } from "./form-error.tsx"
import { useSubmit, type FormShellProps } from "./form-shell.ts"
import classes from "./inline-form.module.css"
import { useLeaveGuard } from "./leave-guard.tsx"
import { RestoredNote } from "./restored-note.tsx"
import { SubmitButton } from "./submit-button.tsx"

interface InlineFormProps<I extends FieldValues, O> extends FormShellProps<I, O> {
  /** Read aloud as the form's name. */
  label: string
  /** Beside the button: who saved it last, how much room is left. */
  aside?: ReactNode
}

/** A form that stands in a page. Its button waits until something is changed. */
export function InlineForm<I extends FieldValues, O>(props: InlineFormProps<I, O>) {
  const { form, busy, label, submitError, notDone, held = false } = props
  const submit = useSubmit(props)
  const { isDirty } = useFormState({ control: form.methods.control })
  const guard = useLeaveGuard({
    unsaved: isDirty,
    survivesReload: form.keepsDraft,
    onDiscard: form.dropDraft,
  })
  return (
    <>
      <form noValidate aria-label={label} className={classes.form} onSubmit={(event) => void submit(event)}>
        <RestoredNote form={form} />
        <FormError error={submitError} what={notDone} fields={Object.keys(form.methods.getValues())} />
        <fieldset disabled={busy} className={classes.fields}>
          {props.children}
        </fieldset>
        <div className={classes.foot}>
          <SubmitButton
            action={props.action}
            running={props.running}
            busy={busy}
            disabled={held || !isDirty}
          />
          {props.aside}
        </div>
      </form>
      {guard.dialog}
    </>
  )
}
