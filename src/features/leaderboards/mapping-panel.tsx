import { Button, Checkbox, Group, NativeSelect, Stack } from "@mantine/core"
import type { RankingRoles } from "../../../contract/settings.ts"
import { useSaveMapping } from "../../api/leaderboards.ts"
import { otherNumbers } from "../../lib/ranking/field-roles.ts"
import { type Ranking, roleFields } from "../../lib/ranking/ranking.ts"
import { sentRows } from "../../lib/ranking/row-values.ts"
import type { ColumnChoice } from "../../lists/list-columns.ts"
import { ErrorNotice } from "../../ui/error-notice.tsx"
import { SelectChevron } from "../../ui/field-parts.tsx"
import { RequirePermission } from "../../lists/require-permission.tsx"
import classes from "./leaderboards.module.css"
import { SentJson } from "./ranking-view.tsx"

interface MappingPanelProps {
  boardId: string
  ranking: Ranking
  /** What somebody saved for everybody. */
  saved: RankingRoles | undefined
  /** What is being tried out here. */
  draft: RankingRoles | null
  onDraft: (draft: RankingRoles | null) => void
  /** Fields shown beside the score, in this browser. */
  further: ColumnChoice
  onFurther: (choice: ColumnChoice) => void
}

/** Which field is what, and a row as it was sent. */
export function MappingPanel(props: MappingPanelProps) {
  const { ranking, further, onFurther } = props
  return (
    <aside className={classes.side} aria-label="Field mapping">
      {ranking.fields.length > 0 && <Mapping {...props} />}
      {ranking.view === "standings" && (
        <FurtherFields ranking={ranking} choice={further} onChoose={onFurther} />
      )}
      <section className={classes.part}>
        <h3>Sample row</h3>
        <SentJson label="Sample row" sent={sentRows(ranking.sent)?.[0]} inset />
      </section>
    </aside>
  )
}

/** How many other numbers are named before it grows tiring. */
const mostNumbers = 4

/** A change shows at once, here only; saved, it holds for everybody. */
function Mapping({ boardId, ranking, saved, draft, onDraft }: MappingPanelProps) {
  const { roles, fields, rows, view } = ranking
  const save = useSaveMapping()
  const send = (to: RankingRoles | null) =>
    save.mutate({ id: boardId, roles: to }, { onSuccess: () => onDraft(null) })
  const change = (part: Partial<RankingRoles>) => onDraft({ ...roles, ...part })
  const numbers = otherNumbers(rows, roles).slice(0, mostNumbers)
  const [first = null, second = null] = roles.name
  const named = (...parts: (string | null)[]) => change({ name: parts.filter((part) => part !== null) })
  return (
    <section className={classes.part}>
      <h2>Field mapping</h2>
      <p className="text-secondary">
        {saved === undefined
          ? `The service doesn’t describe its ranking fields. ${view === "standings" ? "These were detected; change them if they’re wrong." : "Choose what each one is."}`
          : "These fields were chosen for everyone."}
      </p>
      <Stack gap={14}>
        <FieldSelect label="Rank" value={roles.rank} fields={fields} onChange={(rank) => change({ rank })} />
        <FieldSelect
          label="Name"
          value={first}
          fields={fields}
          onChange={(field) => (field === null ? named() : named(field, second))}
        />
        <FieldSelect
          label="Score"
          value={roles.score}
          fields={fields}
          help={numbers.length === 0 ? undefined : `Also a number: ${numbers.join(", ")}`}
          onChange={(score) => change({ score })}
        />
        <details className={classes.more}>
          <summary>Member and other name parts</summary>
          <Stack gap={14}>
            <FieldSelect
              label="Member id"
              value={roles.member}
              fields={fields}
              help="Links to the member’s page."
              onChange={(member) => change({ member })}
            />
            <FieldSelect
              label="Second part of the name"
              value={second}
              fields={fields}
              disabled={first === null}
              onChange={(field) => named(first, field)}
            />
            <FieldSelect
              label="Below the name"
              value={roles.note}
              fields={fields}
              onChange={(note) => change({ note })}
            />
          </Stack>
        </details>
      </Stack>
      {save.error !== null && <ErrorNotice error={save.error} what="Couldn’t save the choice of fields." />}
      <Group gap={8}>
        {draft !== null && (
          <>
            <RequirePermission permission="settings.program">
              <Button variant="filled" loading={save.isPending} onClick={() => send(draft)}>
                Save for everybody
              </Button>
            </RequirePermission>
            <Button disabled={save.isPending} onClick={() => onDraft(null)}>
              Discard
            </Button>
          </>
        )}
        {draft === null && saved !== undefined && (
          <RequirePermission permission="settings.program">
            <Button loading={save.isPending} onClick={() => send(null)}>
              Back to what is recognised
            </Button>
          </RequirePermission>
        )}
      </Group>
      <output className="l-meta text-muted">
        {draft !== null && "Only you see this until it’s saved."}
        {draft === null && save.isSuccess && "Saved for everyone."}
      </output>
    </section>
  )
}

interface FieldSelectProps {
  label: string
  value: string | null
  fields: readonly string[]
  help?: string | undefined
  disabled?: boolean
  onChange: (field: string | null) => void
}

/** One of the fields that were sent, or none of them. */
function FieldSelect({ label, value, fields, help, disabled = false, onChange }: FieldSelectProps) {
  return (
    <NativeSelect
      label={label}
      description={help}
      value={value ?? ""}
      disabled={disabled}
      data={[{ value: "", label: "None" }, ...fields.map((field) => ({ value: field, label: field }))]}
      rightSection={<SelectChevron />}
      classNames={{ input: classes.field ?? "" }}
      onChange={(event) => onChange(event.currentTarget.value || null)}
    />
  )
}

interface FurtherFieldsProps {
  ranking: Ranking
  choice: ColumnChoice
  onChoose: (choice: ColumnChoice) => void
}

/** Fields that are neither rank, name nor score, to be shown as columns of their own. */
function FurtherFields({ ranking: { fields, roles }, choice, onChoose }: FurtherFieldsProps) {
  const taken = roleFields({ ...roles, member: null })
  const further = fields.filter((field) => !taken.has(field))
  if (further.length === 0) return null
  const toggle = (field: string, show: boolean) => {
    const { [field]: _, ...rest } = choice
    onChoose(show ? { ...rest, [field]: true } : rest)
  }
  return (
    <section className={classes.part}>
      <h3>Other fields</h3>
      <p className="l-meta text-muted">Shown beside the score. Saved in this browser.</p>
      <ul className={classes.checks}>
        {further.map((field) => (
          <li key={field}>
            <Checkbox
              label={field}
              classNames={{ label: classes.field ?? "" }}
              checked={choice[field] === true}
              onChange={(event) => toggle(field, event.currentTarget.checked)}
            />
          </li>
        ))}
      </ul>
    </section>
  )
}
