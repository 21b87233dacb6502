import { TextInput } from "@mantine/core"
import { IconTrash } from "@tabler/icons-react"
import { FieldError } from "../../../forms/field-error.tsx"
import { Check } from "../../../lists/list-table.tsx"
import { IconButton } from "../../../ui/icon-button.tsx"
import type { CarrierDraft, CarrierProblems } from "./carrier-draft.ts"

interface CarrierLineProps {
  draft: CarrierDraft
  /** From 1, for a carrier that has no name yet. */
  place: number
  problems: CarrierProblems | undefined
  disabled: boolean
  onChange: (draft: CarrierDraft) => void
  onRemove: () => void
}

/** One carrier in the table. */
export function CarrierLine({ draft, place, problems, disabled, onChange, onRemove }: CarrierLineProps) {
  const called = draft.name.trim() === "" ? `carrier ${place}` : draft.name
  const nameProblem = problems?.name ?? problems?.code
  return (
    <tr>
      <td>
        <Check
          label={`Enable ${called}`}
          checked={draft.offered}
          disabled={disabled}
          onChange={({ currentTarget }) => onChange({ ...draft, offered: currentTarget.checked })}
        />
      </td>
      <td>
        <TextInput
          aria-label={`Name of ${called}`}
          ref={draft.code === "" ? focusNew : null}
          value={draft.name}
          disabled={disabled}
          maxLength={80}
          error={nameProblem === undefined ? undefined : <FieldError message={nameProblem} />}
          onChange={({ currentTarget }) => onChange({ ...draft, name: currentTarget.value })}
        />
      </td>
      <td>
        <TextInput
          aria-label={`Link of ${called}`}
          placeholder="https://carrier.example/track/{number}"
          spellCheck={false}
          value={draft.link}
          disabled={disabled}
          error={problems?.link === undefined ? undefined : <FieldError message={problems.link} />}
          onChange={({ currentTarget }) => onChange({ ...draft, link: currentTarget.value })}
        />
      </td>
      <td>
        <IconButton
          label={`Remove ${called}`}
          icon={<IconTrash size={16} stroke={1.75} />}
          disabled={disabled}
          onClick={onRemove}
        />
      </td>
    </tr>
  )
}

/** A line that was just added is what the person writes in next. */
function focusNew(field: HTMLInputElement | null): void {
  field?.focus()
}
