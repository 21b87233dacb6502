import { IconAlertCircle } from "@tabler/icons-react"
import { useId } from "react"
import type { JobRow } from "../../../../contract/desk/job-rows.ts"
import { formatCount } from "../../../lib/format.ts"
import { Check } from "../../../list/check.tsx"
import { outcomeWords, rowNumber } from "../jobs/row-words.ts"
import type { FixField } from "./fix-model.ts"
import classes from "./fix.module.css"
import type { Fix } from "./use-fix.ts"

interface FixRowProps {
  fields: readonly FixField[]
  row: JobRow
  fix: Fix
  /** Problems stand at their cells once somebody tried to send them. */
  showProblems: boolean
}

/** One failed row: what can be mended as fields, and why it failed beside them. */
export function FixRow({ fields, row, fix, showProblems }: FixRowProps) {
  const cells = fix.cellsOf(row)
  const chosen = fix.isChosen(row.row)
  const problems = showProblems ? fix.problemsOf(row.row) : undefined
  return (
    <tr data-left={!chosen || undefined}>
      <td className={classes.pick}>
        <Check
          label={`Send row ${rowNumber(row)} again`}
          checked={chosen}
          onChange={(event) => fix.choose(row.row, event.currentTarget.checked)}
        />
      </td>
      <td className={`l-3 l-num ${classes.number}`}>{formatCount(rowNumber(row))}</td>
      <td className={classes.why}>{outcomeWords(row)}</td>
      {fields.map((field) =>
        field.onlyFor === undefined ? (
          <Cell
            key={field.key}
            field={field}
            row={row.row}
            value={cells[field.key] ?? ""}
            problem={problems?.[field.key]}
            disabled={!chosen}
            onChange={(text) => fix.change(row, field.key, text)}
          />
        ) : (
          <td key={field.key} className={classes.pick}>
            {row.outcome?.code === field.onlyFor && (
              <Check
                label={`${field.label}, row ${rowNumber(row)}`}
                checked={cells[field.key] === "yes"}
                disabled={!chosen}
                onChange={(event) => fix.change(row, field.key, event.currentTarget.checked ? "yes" : "")}
              />
            )}
          </td>
        ),
      )}
    </tr>
  )
}

interface CellProps {
  field: FixField
  row: number
  value: string
  problem: string | undefined
  disabled: boolean
  onChange: (text: string) => void
}

function Cell({ field, row, value, problem, disabled, onChange }: CellProps) {
  const id = useId()
  return (
    <td data-end={field.end || undefined} data-field={field.key}>
      <input
        className={classes.input}
        aria-label={`${field.label}, row ${row}`}
        inputMode={field.end ? "decimal" : "text"}
        autoComplete="off"
        spellCheck={false}
        value={value}
        disabled={disabled}
        aria-invalid={problem !== undefined}
        aria-describedby={problem === undefined ? undefined : id}
        onChange={(event) => onChange(event.currentTarget.value)}
      />
      {problem !== undefined && (
        <span id={id} className={classes.problem}>
          <IconAlertCircle size={14} stroke={2} aria-hidden />
          {problem}
        </span>
      )}
    </td>
  )
}
