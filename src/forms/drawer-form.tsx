import { IconGauge } from "@tabler/icons-react"
import type { ReactNode } from "react"
import { useFormState, type FieldValues } from "react-hook-form"
import { SideDrawer } from "../ui/side-drawer.tsx"
import classes from "./drawer-form.module.css"
import { FormError } from "./form-error.tsx"
import { useSubmit, type FormShellProps } from "./form-shell.ts"
import { useLeaveGuard } from "./leave-guard.tsx"
import { RestoredNote } from "./restored-note.tsx"
import { SubmitButton } from "./submit-button.tsx"

interface DrawerFormProps<I extends FieldValues, O> extends FormShellProps<I, O> {
  title: string
  onClose: () => void
  /** 560 px: for a form with many fields. */
  wide?: boolean
  /** Says better than the form's own words what `submitError` means and where to go from it. */
  errorNote?: ReactNode
  /** What will happen in numbers, above the button. */
  forecast?: ReactNode
  /** What sending it costs, from `cost()`. */
  costs: string
}

/** A form in a drawer: one column, the effect on the button, its cost and key below; asks before it is left. */
export function DrawerForm<I extends FieldValues, O>(props: DrawerFormProps<I, O>) {
  const { form, busy, title, onClose, wide = false, submitError, notDone, held = false } = props
  const submit = useSubmit(props)
  const { isDirty } = useFormState({ control: form.methods.control })
  const guard = useLeaveGuard({
    unsaved: isDirty,
    survivesReload: form.keepsDraft,
    onDiscard: form.dropDraft,
  })
  return (
    <>
      <SideDrawer
        title={title}
        wide={wide}
        // Escape reaches the drawer too while the question above it is open.
        onClose={() => (guard.asking || busy ? undefined : onClose())}
        onSubmit={(event) => void submit(event)}
        foot={
          <>
            {props.forecast}
            <SubmitButton action={props.action} running={props.running} busy={busy} disabled={held} wide />
            <div className={classes.cost}>
              <IconGauge size={16} stroke={1.75} aria-hidden />
              <span className="l-num">{props.costs}</span>
              <span className={classes.keys}>
                <kbd>Ctrl</kbd>
                <kbd>Enter</kbd>
              </span>
            </div>
          </>
        }
      >
        <fieldset disabled={busy} className={classes.fields}>
          <legend className="visually-hidden">{title}</legend>
          <RestoredNote form={form} />
          {props.errorNote ?? (
            <FormError error={submitError} what={notDone} fields={Object.keys(form.methods.getValues())} />
          )}
          {props.children}
        </fieldset>
      </SideDrawer>
      {guard.dialog}
    </>
  )
}
