import { useFormState, type FieldValues } from "react-hook-form"
import type { ReactNode } from "react"
import { type Role, roleNames } from "../../../contract/roles.ts"
import type { Api } from "../../../contract/status.ts"
import { InlineForm, type FormShellProps } from "../../forms/form.tsx"
import classes from "./settings.module.css"

/** What the services are called on the settings pages. */
export const serviceNames: Readonly<Record<Api, string>> = {
  program: "Program API",
  giftcard: "Gift card API",
}

/** Why a page shows its settings as facts. */
export function ReadOnlyNote({ needs }: { needs: Role }) {
  return <p className="caption">Changing this requires the {roleNames[needs]} role.</p>
}

/** What became of saving; spoken when it appears. */
export function SavedNote({ children }: { children: ReactNode }) {
  return <output className={classes.saved}>{children}</output>
}

interface SettingsFormProps<I extends FieldValues, O> extends Pick<
  FormShellProps<I, O>,
  "form" | "notDone" | "children"
> {
  label: string
  save: {
    mutateAsync: (body: O) => Promise<O>
    error: Error | null
    isPending: boolean
    isSuccess: boolean
  }
  /** The fields of what was saved: what the form counts changes from. */
  fieldsOf: (saved: O) => I
  action?: string
}

/** Settings that are edited in place: saved at once as a whole, and the form then says so. */
export function SettingsForm<I extends FieldValues, O>(props: SettingsFormProps<I, O>) {
  const { form, save, fieldsOf, label, notDone, action = "Save" } = props
  const { isDirty } = useFormState({ control: form.methods.control })
  return (
    <InlineForm
      label={label}
      form={form}
      onSubmit={async (body) => form.methods.reset(fieldsOf(await save.mutateAsync(body)))}
      submitError={save.error}
      busy={save.isPending}
      notDone={notDone}
      action={action}
      running="Saving"
      aside={<SavedNote>{save.isSuccess && !isDirty && "Saved."}</SavedNote>}
    >
      {props.children}
    </InlineForm>
  )
}
