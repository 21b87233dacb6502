import type { RankingRoles } from "../../../../contract/settings.ts"
import type { RankingReading } from "../../../lib/ranking/read-ranking.ts"
import classes from "./board-side.module.css"
import { FieldSelect } from "./field-select.tsx"
import { MappingSave } from "./mapping-save.tsx"
import { otherNumbers } from "./other-numbers.ts"

interface MappingPanelProps {
  boardId: string
  reading: RankingReading
  /** What somebody saved for everybody. */
  saved: RankingRoles | undefined
  /** What is being tried out here. */
  draft: RankingRoles | null
  onDraft: (draft: RankingRoles | null) => void
}

/** Which field is what. A change shows at once, here only; saved, it holds for everybody. */
export function MappingPanel({ boardId, reading, saved, draft, onDraft }: MappingPanelProps) {
  const { roles, fields, rows } = reading
  const change = (part: Partial<RankingRoles>) => onDraft({ ...roles, ...part })
  const numbers = otherNumbers(rows, roles)
  const [first = null, second = null] = roles.name
  const named = (parts: readonly (string | null)[]) => change({ name: parts.filter((part) => part !== null) })
  return (
    <section className={classes.part}>
      <h2>Field mapping</h2>
      <p className="text-secondary">
        {saved === undefined
          ? `The service doesn’t describe its ranking fields. ${reading.view === "standings" ? "These were detected; change them if they’re wrong." : "Choose what each one is."}`
          : "These fields were chosen for everyone."}
      </p>
      <div className={classes.fields}>
        <FieldSelect label="Rank" value={roles.rank} fields={fields} onChange={(rank) => change({ rank })} />
        <FieldSelect
          label="Name"
          value={first}
          fields={fields}
          onChange={(field) => named(field === null ? [] : [field, second])}
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
          <div className={classes.fields}>
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
              onChange={(field) => named([first, field])}
            />
            <FieldSelect
              label="Below the name"
              value={roles.note}
              fields={fields}
              onChange={(note) => change({ note })}
            />
          </div>
        </details>
      </div>
      <MappingSave boardId={boardId} saved={saved} draft={draft} onDone={() => onDraft(null)} />
    </section>
  )
}
