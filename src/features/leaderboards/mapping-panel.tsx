import { Checkbox, Group, NativeSelect, type NativeSelectProps, Stack } from "@mantine/core"
import { useState } from "react"
import type { RankingRoles } from "../../../contract/settings.ts"
import type { ColumnLayout } from "../../../contract/views.ts"
import { useSaveMapping } from "../../api/leaderboards.ts"
import { useSession } from "../../api/session.ts"
import { otherNumbers } from "../../lib/ranking/field-roles.ts"
import { type Ranking, roleFields } from "../../lib/ranking/ranking.ts"
import { sentRows } from "../../lib/ranking/row-values.ts"
import { ErrorNotice } from "../../ui/error-notice.tsx"
import { SelectChevron } from "../../ui/field-parts.tsx"
import { RequirePermission } from "../../lists/require-permission.tsx"
import classes from "./leaderboards.module.css"
import { SentJson } from "./ranking-view.tsx"
import { Button } from "../../ui/button.tsx"

interface MappingPanelProps {
  boardId: string
  ranking: Ranking
  /** The mapping saved for all users, and the local draft. */
  saved: RankingRoles | undefined
  draft: RankingRoles | null
  onDraft: (draft: RankingRoles | null) => void
  /** Extra fields shown in this browser. */
  further: ColumnLayout["shown"]
  onFurther: (choice: ColumnLayout["shown"]) => void
}

/**
 * The field mapping with a sample row: collapsed, for administrators. When the columns were not recognised it is
 * open, and every user can map them locally.
 */
export function MappingPanel(props: MappingPanelProps) {
  const { ranking } = props
  const isAdmin = useSession().user.role === "admin"
  const [open, setOpen] = useState(ranking.view !== "standings")
  if (!isAdmin && !open) return null
  return (
    <aside className={`${classes.side} scroll`} aria-label="Set up columns">
      <details
        className={classes.more}
        open={open}
        onToggle={({ currentTarget }) => isAdmin && setOpen(currentTarget.open)}
      >
        <summary>
          <h2>Set up columns</h2>
        </summary>
        <Stack className="divided">
          {ranking.fields.length > 0 && <Mapping {...props} />}
          {ranking.view === "standings" && <FurtherFields {...props} />}
          <Stack component="section" gap={8}>
            <h3>Sample row</h3>
            <SentJson label="Sample row" sent={sentRows(ranking.sent)?.[0]} inset />
          </Stack>
        </Stack>
      </details>
    </aside>
  )
}

const mostNumbers = 4

/** A change is applied locally; once saved, for all users. */
function Mapping({ boardId, ranking, saved, draft, onDraft }: MappingPanelProps) {
  const { roles, fields, rows, view } = ranking
  const save = useSaveMapping()
  const send = (to: RankingRoles | null) =>
    save.mutate({ id: boardId, roles: to }, { onSuccess: () => onDraft(null) })
  const change = (part: Partial<RankingRoles>) => onDraft({ ...roles, ...part })
  const numbers = otherNumbers(rows, roles).slice(0, mostNumbers)
  const [first = null, second = null] = roles.name
  const named = (...parts: (string | null)[]) => change({ name: parts.filter((part) => part !== null) })
  const field = (
    label: string,
    value: string | null,
    onChange: (field: string | null) => void,
    more: Pick<NativeSelectProps, "description" | "disabled"> = {},
  ) => (
    <NativeSelect
      {...more}
      label={label}
      value={value ?? ""}
      data={[{ value: "", label: "None" }, ...fields]}
      rightSection={<SelectChevron />}
      classNames={{ input: "l-mono wrap-anywhere" }}
      onChange={(event) => onChange(event.currentTarget.value || null)}
    />
  )
  return (
    <Stack component="section" gap={8}>
      <p className="text-secondary">
        {saved === undefined
          ? `The service doesn’t describe its ranking fields. ${view === "standings" ? "These were detected; change them if they’re wrong." : "Choose what each one is."}`
          : "These fields were chosen for everyone."}
      </p>
      <Stack gap={14}>
        {field("Rank", roles.rank, (rank) => change({ rank }))}
        {field("Name", first, (name) => (name === null ? named() : named(name, second)))}
        {field("Score", roles.score, (score) => change({ score }), {
          description: numbers.length > 0 && `Also a number: ${numbers.join(", ")}`,
        })}
        {field("Member id", roles.member, (member) => change({ member }), {
          description: "Links to the member’s page.",
        })}
        {field("Second part of the name", second, (part) => named(first, part), {
          disabled: first === null,
        })}
        {field("Below the name", roles.note, (note) => change({ note }))}
      </Stack>
      <ErrorNotice error={save.error} what="Couldn’t save the choice of fields." />
      <Group gap={8}>
        {(draft !== null || saved !== undefined) && (
          <RequirePermission permission="settings.program">
            <Button
              variant={draft === null ? "default" : "filled"}
              loading={save.isPending}
              onClick={() => send(draft)}
            >
              {draft === null ? "Back to what is recognised" : "Save for everybody"}
            </Button>
          </RequirePermission>
        )}
        {draft !== null && (
          <Button disabled={save.isPending} onClick={() => onDraft(null)}>
            Discard
          </Button>
        )}
      </Group>
      <output className="caption">
        {draft !== null && "Only you see this until it’s saved."}
        {draft === null && save.isSuccess && "Saved for everyone."}
      </output>
    </Stack>
  )
}

function FurtherFields({ ranking: { fields, roles }, further: choice, onFurther }: MappingPanelProps) {
  const taken = roleFields({ ...roles, member: null })
  const others = fields.filter((field) => !taken.has(field))
  if (others.length === 0) return null
  return (
    <Stack component="section" gap={8}>
      <h3>Other fields</h3>
      <p className="caption">Shown beside the score. Saved in this browser.</p>
      <Stack component="ul" gap={10} mah={200} className="scroll">
        {others.map((field) => (
          <li key={field}>
            <Checkbox
              label={field}
              classNames={{ label: "l-mono wrap-anywhere" }}
              checked={choice[field] === true}
              onChange={(event) => onFurther({ ...choice, [field]: event.currentTarget.checked })}
            />
          </li>
        ))}
      </Stack>
    </Stack>
  )
}
