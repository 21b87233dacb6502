import { Link } from "@tanstack/react-router"
import type { Control } from "react-hook-form"
import type { CardTemplates } from "../../../../contract/cards.ts"
import type { GiftcardRow } from "../../../../contract/job-rows.ts"
import { SelectField, TextField } from "../../../forms/fields.tsx"
import type { IssueValues } from "../issue-model.ts"

interface TemplateFieldProps {
  control: Control<IssueValues, unknown, GiftcardRow>
  settings: CardTemplates
  /** What stands in the field: a template that was entered no more is still offered. */
  now: string
}

/** Which card: one of the templates entered in the settings, or an id where there are none. */
export function TemplateField({ control, settings: { templates, default: usual }, now }: TemplateFieldProps) {
  if (templates.length === 0) {
    return (
      <TextField
        control={control}
        name="cardId"
        label="Card template id"
        optional
        help={
          <>
            The service lists no templates. Empty takes the default one.{" "}
            <Link to="/settings/gift-cards" className="l-link">
              Add templates
            </Link>
          </>
        }
      />
    )
  }
  const listed = templates.map(({ id, name }) => ({ value: id, label: name }))
  const more = [usual, now]
    .filter((id) => id !== null && id !== "" && templates.every((template) => template.id !== id))
    .map((id) => ({ value: id ?? "", label: id ?? "" }))
  const options = [
    ...(usual === null ? [{ value: "", label: "Choose a card" }] : []),
    ...listed,
    ...new Map(more.map((option) => [option.value, option])).values(),
  ]
  return <SelectField control={control} name="cardId" label="Card" options={options} />
}
