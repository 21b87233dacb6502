import { Checkbox } from "@mantine/core"
import { roleFields } from "../../../lib/ranking/role-fields.ts"
import type { RankingReading } from "../../../lib/ranking/read-ranking.ts"
import type { ColumnChoice } from "../../../lists/list-columns.ts"
import classes from "./board-side.module.css"

interface FurtherFieldsProps {
  reading: RankingReading
  choice: ColumnChoice
  onChoose: (choice: ColumnChoice) => void
}

/** Fields that are neither rank, name nor score, to be shown as columns of their own. */
export function FurtherFields({ reading: { fields, roles }, choice, onChoose }: FurtherFieldsProps) {
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
              classNames={{ label: classes.label ?? "" }}
              checked={choice[field] === true}
              onChange={(event) => toggle(field, event.currentTarget.checked)}
            />
          </li>
        ))}
      </ul>
    </section>
  )
}
