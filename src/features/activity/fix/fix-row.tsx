import { Button } from "@mantine/core"
import { IconAlertCircle } from "@tabler/icons-react"
import { useId } from "react"
import type { JobRow } from "../../../../contract/job-rows.ts"
import { formatCount } from "../../../lib/format.ts"
import { Check } from "../../../lists/list-table.tsx"
import { rowNumber } from "../jobs/row-words.ts"
import type { TemplateHint } from "./fix-card.ts"
import type { FixField } from "./fix-model.ts"
import classes from "./fix.module.css"
import type { Fix } from "./use-fix.ts"
import type { CellProblems } from "./use-send-fixed.ts"

interface FixRowProps {
  fields: readonly FixField[]
  row: JobRow
  fix: Fix
  /** What became of it so far. */
  why: string
  /** Whether it may be left out of what is sent. */
  leavable: boolean
  suggest: TemplateHint
  /** What the server found wrong when they were sent last. */
  serverProblems: CellProblems | undefined
  /** Problems stand at their cells once somebody tried to send them. */
  showProblems: boolean
}

/** One row: what can be corrected as fields, and what became of it beside them. */
export function FixRow(props: FixRowProps) {
  const { fields, row, fix, why, leavable, suggest, serverProblems, showProblems } = props
  const cells = fix.cellsOf(row)
  const chosen = fix.isChosen(row.row)
  const problems = showProblems ? (fix.problemsOf(row.row) ?? serverProblems) : undefined
  return (
    <tr data-left={!chosen || undefined}>
      {leavable && (
        <td className={classes.pick}>
          <Check
            label={`Send row ${rowNumber(row)} again`}
            checked={chosen}
            onChange={(event) => fix.choose(row.row, event.currentTarget.checked)}
          />
        </td>
      )}
      <td className={`text-muted l-num ${classes.number}`}>{formatCount(rowNumber(row))}</td>
      <td className={classes.why}>{why}</td>
      {fields.map((field) =>
        field.onlyFor === undefined ? (
          <Cell
            key={field.key}
            field={field}
            row={rowNumber(row)}
            value={cells[field.key] ?? ""}
            problem={problems?.[field.key]}
            hint={field.key === "cardId" ? suggest(cells.cardId ?? "") : undefined}
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
  hint: ReturnType<TemplateHint>
  disabled: boolean
  onChange: (text: string) => void
}

function Cell({ field, row, value, problem, hint, disabled, onChange }: CellProps) {
  const id = useId()
  const said = hint?.message ?? problem
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
        aria-describedby={said === undefined ? undefined : id}
        onChange={(event) => onChange(event.currentTarget.value)}
      />
      {said !== undefined && (
        <span id={id} className={classes.problem}>
          <IconAlertCircle size={14} stroke={2} aria-hidden />
          {said}
        </span>
      )}
      {hint !== undefined && (
        <Button
          size="compact-xs"
          aria-label={`Use ${hint.use} in row ${row}`}
          disabled={disabled}
          onClick={() => onChange(hint.use)}
        >
          Use {hint.use}
        </Button>
      )}
    </td>
  )
}
