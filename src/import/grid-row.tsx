import { Group, NativeSelect } from "@mantine/core"
import {
  IconAlertCircle,
  IconAlertTriangle,
  IconArrowBackUp,
  IconCircleCheck,
  IconEyeOff,
  IconTrash,
} from "@tabler/icons-react"
import { memo, useEffect, useId, useRef, useState, type Ref } from "react"
import { useCan } from "../api/session.ts"
import { useMemberSuggestions } from "../forms/member-suggestions.ts"
import { formatCount } from "../lib/format.ts"
import { fullName } from "../lib/names.ts"
import { SelectChevron } from "../ui/field-parts.tsx"
import { Button, IconButton } from "../ui/button.tsx"
import classes from "./grid.module.css"
import type { ImportSession } from "./import-session.ts"
import type { CellProblem } from "./sheet-data.ts"
import type { RowView } from "./sheet-view.ts"
import type { GridColumn } from "./use-grid.ts"

interface GridRowProps {
  session: ImportSession
  row: RowView | undefined
  columns: readonly GridColumn[]
  position: number
  /** Index of the focused cell's column; null in every other row. */
  activeColumn: number | null
  /** The input in that cell while it is edited; the grid handles its keys. `select`: the text is selected. */
  editing: { text: string; select: boolean; onChange: (text: string) => void; onLeave: () => void } | null
  /** Without hover, every row shows its actions. */
  touch: boolean
  /** On a phone most columns are out of view, so findings are below the row number, over the full width. */
  phone: boolean
  canExclude: boolean
  canDelete: boolean
  /** Typing a name suggests members. */
  findsMembers: boolean
  measure: Ref<HTMLTableRowElement>
}

/** One row of the grid: its number in the file, its cells and its actions. */
export const GridRow = memo(function GridRow(props: GridRowProps) {
  const { row, columns, position, activeColumn, editing, touch, phone, measure } = props
  const [pointed, setPointed] = useState(false)
  // The focused row renders its cells before it is loaded, so that the focus has a target.
  const isDrawn = row !== undefined || activeColumn !== null
  return (
    <tr
      ref={isDrawn ? measure : undefined}
      className={classes.row}
      data-index={position}
      data-standing={row?.standing}
      aria-rowindex={position + 2}
      onPointerEnter={() => setPointed(true)}
      onPointerLeave={() => setPointed(false)}
    >
      <th scope="row" aria-colindex={1} className={classes.number}>
        {isDrawn ? row && formatCount(row.number) : <span className="visually-hidden">Row</span>}
        {phone && row !== undefined && row.problems.length > 0 && (
          <span className={classes.messages}>
            {row.problems.map((problem) => (
              <CellMessage key={`${problem.column} ${problem.text}`} {...props} problem={problem} />
            ))}
          </span>
        )}
      </th>
      {isDrawn ? (
        columns.map((column, at) => (
          <GridCell
            key={column.index}
            {...props}
            column={column}
            at={at}
            active={activeColumn === at}
            editing={activeColumn === at ? editing : null}
          />
        ))
      ) : (
        <td colSpan={columns.length + 1} aria-colindex={2} aria-label="Not loaded yet">
          <span className={classes.cell}>
            <span className="skeleton" style={{ width: "60%" }} />
          </span>
        </td>
      )}
      {isDrawn && (
        <td aria-colindex={columns.length + 2} className={classes.ends}>
          {row && <RowActions {...props} row={row} pointed={touch || pointed} />}
        </td>
      )}
    </tr>
  )
})

function GridCell(props: GridRowProps & { column: GridColumn; at: number; active: boolean }) {
  const { row, column, position, at, active, editing, phone } = props
  const problems = problemsIn(row, column, at === 0)
  const severity = problems.some((each) => each.severity === "problem") ? "problem" : problems[0]?.severity
  const { type, label = column.name } = column.spec ?? {}
  return (
    <td
      data-cell={`${position}:${at}`}
      data-type={type}
      data-unused={column.field === null || undefined}
      data-severity={severity === "check" && row?.acknowledged === true ? "kept" : severity}
      aria-colindex={at + 2}
      aria-invalid={severity === "problem" || undefined}
      tabIndex={active && editing === null ? 0 : -1}
    >
      {editing === null ? (
        <span className={classes.cell}>
          <span
            {...(row === undefined
              ? { className: "skeleton", style: { width: "60%" } }
              : { className: classes.value })}
          >
            {row?.shown[column.index]}
          </span>
          {!phone &&
            problems.map((problem) => (
              <CellMessage key={`${problem.severity} ${problem.text}`} {...props} problem={problem} />
            ))}
        </span>
      ) : (
        <CellEditor
          {...editing}
          isMember={props.findsMembers && column.field === "member_id"}
          label={`${label}, row ${row?.number ?? position + 1}`}
        />
      )}
    </td>
  )
}

/** Findings without a column, such as one amount for all rows, are shown in the first cell. */
function problemsIn(row: GridRowProps["row"], column: GridColumn, isFirst: boolean): readonly CellProblem[] {
  const withoutColumn = isFirst ? column.index : -1
  return row?.problems.filter((problem) => (problem.column ?? withoutColumn) === column.index) ?? []
}

function CellEditor(props: NonNullable<GridRowProps["editing"]> & { label: string; isMember: boolean }) {
  const { label, text, select, isMember, onChange, onLeave } = props
  const list = useId()
  const field = useRef<HTMLInputElement>(null)
  useEffect(() => {
    field.current?.focus()
    if (select) field.current?.select()
  }, [select])
  return (
    <>
      <input
        ref={field}
        className={classes.editor}
        aria-label={label}
        list={isMember ? list : undefined}
        value={text}
        autoComplete="off"
        spellCheck={false}
        onChange={({ currentTarget }) => onChange(currentTarget.value)}
        onBlur={onLeave}
      />
      {isMember && <MemberOptions id={list} text={text} />}
    </>
  )
}

/** Members that match the input, as the browser's suggestions for the field. */
function MemberOptions({ id, text }: { id: string; text: string }) {
  const [before] = useState(text)
  // The cell's current text is no search.
  const typed = text === before ? "" : text.trim()
  const { members } = useMemberSuggestions(typed, useCan("members.search"))
  return (
    <datalist id={id}>
      {members.map((member) => (
        <option key={member.id} value={member.id}>
          {fullName(member)} · {member.email ?? member.id}
        </option>
      ))}
    </datalist>
  )
}

function CellMessage(props: GridRowProps & { problem: CellProblem }) {
  const { session, row, columns, phone, activeColumn } = props
  const { severity, text, fix, column, field } = props.problem
  const away = phone ? columns.find(({ index }) => index === column) : undefined
  const isAccepted = row?.acknowledged === true && severity === "check"
  const Open = severity === "problem" ? IconAlertCircle : IconAlertTriangle
  const Icon = isAccepted ? IconCircleCheck : Open
  const apply = (right: string) =>
    void session.change((sheet) =>
      column === null || row === undefined
        ? sheet.fill(field, right)
        : sheet.edit([{ id: row.id, column, text: right }]),
    )
  return (
    <span className={classes.message} data-severity={isAccepted ? "kept" : severity}>
      <Icon size={14} stroke={2} aria-hidden />
      <span>
        {away && `${away.spec?.label ?? away.name}: `}
        {text}
        {isAccepted && ", kept"}
        {fix !== undefined && !isAccepted && (
          <Button
            size="compact-xs"
            data-block
            maw="100%"
            ms={6}
            tabIndex={activeColumn === null ? -1 : 0}
            aria-label={`${fix.label} in row ${row?.number ?? 0}`}
            onClick={() => apply(fix.text)}
          >
            {fix.label}
          </Button>
        )}
      </span>
    </span>
  )
}

const correctionLabels = { difference: "Award the difference", as_well: "Award as well" } as const

/** Actions of a row. A row that has to be confirmed always shows them. */
function RowActions(props: GridRowProps & { row: RowView; pointed: boolean }) {
  const { session, row, activeColumn, pointed, canExclude, canDelete } = props
  const { id, number, standing, acknowledged, canKeep, choices } = row
  const isActive = activeColumn !== null
  const isOpen = standing === "check" || standing === "out" || choices !== undefined
  if (!pointed && !isActive && !isOpen) return null
  // Tab reaches the buttons of the focused row.
  const tabIndex = isActive ? 0 : -1
  const decide = (decision: "keep" | "leave" | null) =>
    void session.change((sheet) => sheet.decide([id], decision))
  const action = (label: string, Icon: typeof IconTrash, onClick: () => void) => (
    <IconButton label={label} tabIndex={tabIndex} icon={<Icon size={16} stroke={1.75} />} onClick={onClick} />
  )
  return (
    <Group component="span" gap={2} justify="flex-end" wrap="nowrap">
      {standing !== "out" && choices !== undefined && (
        <NativeSelect
          aria-label={`What to do with row ${number}`}
          tabIndex={tabIndex}
          value={row.choice ?? ""}
          data={[
            { value: "", label: "Leave out" },
            ...choices.map((value) => ({ value, label: correctionLabels[value] })),
          ]}
          rightSection={<SelectChevron />}
          onChange={({ currentTarget: { value } }) => {
            const choice = choices.find((each) => each === value) ?? null
            void session.change((sheet) => sheet.chooseFor([id], choice))
          }}
        />
      )}
      {standing === "check" && canKeep && (
        <Button
          size="xs"
          variant="subtle"
          tabIndex={tabIndex}
          aria-label={acknowledged ? `Leave row ${number} out` : `Keep row ${number}`}
          onClick={() => decide(acknowledged ? "leave" : "keep")}
        >
          {acknowledged ? "Leave out" : "Keep"}
        </Button>
      )}
      {standing === "ready" &&
        canExclude &&
        action(`Leave row ${number} out`, IconEyeOff, () => decide("leave"))}
      {standing === "out" && action(`Include row ${number} again`, IconArrowBackUp, () => decide(null))}
      {canDelete &&
        action(`Delete row ${number}`, IconTrash, () => void session.change((sheet) => sheet.remove(id)))}
    </Group>
  )
}
