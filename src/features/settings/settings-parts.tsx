import { useFormState, type FieldValues } from "react-hook-form"
import { Box } from "@mantine/core"
import type { UseMutationResult } from "@tanstack/react-query"
import type { ComponentProps, ReactNode } from "react"
import { type Role, roleNames, roleNeeded } from "../../../contract/roles.ts"
import type { Api } from "../../../contract/response.ts"
import { InlineForm, type FormShellProps } from "../../forms/form.tsx"
import { DescriptionList } from "../../ui/data-table.tsx"
import { Section } from "../../ui/page-header.tsx"

/** Names of the services on the settings pages. */
export const serviceNames: Readonly<Record<Api, string>> = {
  program: "Program API",
  giftcard: "Gift card API",
}

/** Why a page shows its settings as facts. */
export function ReadOnlyNote({ needs = roleNeeded("settings.program") }) {
  return <p className="caption">Changing this requires the {roleNames[needs]} role.</p>
}

/** Settings as facts for users who cannot change them, with the role that can. */
export function ReadOnlyFacts(
  props: Pick<ComponentProps<typeof DescriptionList>, "items"> & { needs?: Role },
) {
  const { items, ...role } = props
  return (
    <>
      <DescriptionList layout="inline" items={items} />
      <ReadOnlyNote {...role} />
    </>
  )
}

/** The outcome of saving, announced when it appears. */
export function SavedNote({ children }: { children: ReactNode }) {
  return (
    <output className={"hide-empty tone-text l-meta"} data-tone="success">
      {children}
    </output>
  )
}

/** Facts in a section of half the width. */
export function FactsSection(
  props: Pick<ComponentProps<typeof DescriptionList>, "items"> & { title: string; end?: string },
) {
  const { title, end, items } = props
  return (
    <Section title={title} end={end}>
      <Box maw={480}>
        <DescriptionList layout="inline" items={items} />
      </Box>
    </Section>
  )
}

/** Settings edited in place and saved as one document, with a note afterwards. */
export function SettingsForm<I extends FieldValues, O>(
  props: Pick<FormShellProps<I, O>, "form" | "notDone" | "children"> & {
    label: string
    save: { mutateAsync: (body: O) => Promise<O> } & Pick<
      UseMutationResult,
      "error" | "isPending" | "isSuccess"
    >
    fieldsOf: (saved: O) => I
    action?: string
    wide?: boolean
    before?: ReactNode
  },
) {
  const { form, save, fieldsOf, action = "Save", ...shell } = props
  const { isDirty } = useFormState({ control: form.methods.control })
  return (
    <InlineForm
      {...shell}
      form={form}
      onSubmit={async (body) => form.methods.reset(fieldsOf(await save.mutateAsync(body)))}
      submitError={save.error}
      busy={save.isPending}
      action={action}
      running="Saving"
      aside={<SavedNote>{save.isSuccess && !isDirty && "Saved."}</SavedNote>}
    />
  )
}
