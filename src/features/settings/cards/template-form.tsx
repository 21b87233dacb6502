import { Button } from "@mantine/core"
import { useWatch } from "react-hook-form"
import type { CardTemplate, CardTemplates } from "../../../../contract/cards.ts"
import { useChangeCardTemplates } from "../../../api/gift-cards.ts"
import { InlineForm } from "../../../forms/inline-form.tsx"
import { TextField } from "../../../forms/text-field.tsx"
import { useDeskForm } from "../../../forms/use-desk-form.ts"
import classes from "./cards-page.module.css"
import { templateFields, templateSchema, withTemplate, type TemplateValues } from "./template-model.ts"

interface TemplateFormProps {
  settings: CardTemplates
  /** Undefined: a new one. */
  template: CardTemplate | undefined
  onDone: () => void
}

/** Enters a card template, or corrects one. */
export function TemplateForm({ settings, template, onDone }: TemplateFormProps) {
  const change = useChangeCardTemplates()
  const others = settings.templates.map(({ id }) => id).filter((id) => id !== template?.id)
  const form = useDeskForm<TemplateValues, CardTemplate>({
    schema: templateSchema(others),
    values: templateFields(template),
  })
  const { control, reset } = form.methods
  const name = useWatch({ control, name: "name" }).trim()
  return (
    <div className={classes.edit}>
      <InlineForm
        label={template === undefined ? "New template" : `Template ${template.name}`}
        form={form}
        onSubmit={async (entered) => {
          await change.mutateAsync((now) => withTemplate(now, entered, template?.id))
          reset(templateFields(entered))
          onDone()
        }}
        submitError={change.error}
        busy={change.isPending}
        notDone="Couldn’t save the template."
        action={template === undefined ? `Add ${name || "the template"}` : `Save ${name || "the template"}`}
        running="Saving"
        aside={<Button onClick={onDone}>Cancel</Button>}
      >
        <div className={classes.two}>
          <TextField control={control} name="name" label="Name" help="The name your team uses." />
          <TextField control={control} name="id" label="Template id" help="As shown in the dashboard." />
        </div>
        <TextField
          control={control}
          name="amounts"
          label="Amounts"
          optional
          placeholder="25, 50, 100"
          help="In dollars, separated by commas. You can still enter other amounts when issuing."
        />
      </InlineForm>
    </div>
  )
}
