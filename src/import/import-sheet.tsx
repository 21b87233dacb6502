import { Button, SegmentedControl, TextInput } from "@mantine/core"
import {
  IconAlertCircle,
  IconAlertTriangle,
  IconArrowBackUp,
  IconListCheck,
  IconX,
} from "@tabler/icons-react"
import { useState } from "react"
import { FieldError } from "../ui/field-parts.tsx"
import { counted, formatCount } from "../lib/format.ts"
import { ago, isSameDay, timeOfDay } from "../lib/time.ts"
import { IconButton } from "../ui/icon-button.tsx"
import { Notice } from "../ui/notice.tsx"
import { ImportGrid } from "./grid.tsx"
import type { ImportSession } from "./import-session.ts"
import classes from "./import.module.css"
import { RefusalNotice } from "./refusal-notice.tsx"
import { rowFilters, type FieldView, type RowFilter } from "./sheet-view.ts"
import { shownColumns } from "./use-grid.ts"
import { EmptyState } from "../ui/query-state.tsx"

interface ImportSheetProps {
  session: ImportSession
  /** What the rows are: "Rows to award". Read aloud. */
  label: string
  /** The rows and columns are given, and only the texts in them are edited. */
  fixed?: boolean
  /** Rows that are ready may be excluded. */
  canExclude?: boolean
}

/** An open import: what prevents sending, which rows are shown, and the rows. Fills the column it is in. */
export function ImportSheet({ session, label, fixed = false, canExclude = true }: ImportSheetProps) {
  const { state } = session
  const [allColumns, setAllColumns] = useState(false)
  const hidden = state.columns.length - shownColumns(state, false).length
  return (
    <div className={classes.sheet}>
      <div className={classes.notices}>
        <DraftNotice session={session} />
        <RefusalNotice session={session} />
        <MissingNotice session={session} />
        {state.notes.map((note) => (
          <p key={note} className={classes.remark}>
            {note}
          </p>
        ))}
        {hidden > 0 && (
          <p className={classes.remark}>
            {allColumns ? "All columns are shown." : `${hidden} columns that are not used are hidden.`}{" "}
            <Button size="xs" variant="subtle" onClick={() => setAllColumns(!allColumns)}>
              {allColumns ? "Hide those not used" : "Show all"}
            </Button>
          </p>
        )}
      </div>
      <ConstantFields session={session} />
      <FilterTabs session={session} fixed={fixed} />
      {state.shown === 0 ? (
        <EmptyState
          icon={IconListCheck}
          title={state.filter === "all" ? "No rows are left" : "No rows here"}
          help={state.filter === "problems" ? "Every row is fine." : undefined}
          actions={
            state.filter !== "all" && <Button onClick={() => void session.show("all")}>Show all rows</Button>
          }
        />
      ) : (
        // Another view starts at its top.
        <ImportGrid
          key={state.filter}
          session={session}
          label={label}
          allColumns={allColumns}
          fixed={fixed}
          canExclude={canExclude}
        />
      )}
    </div>
  )
}

/** Says that the rows are a draft from earlier, and discards it. */
function DraftNotice({ session }: { session: ImportSession }) {
  const { restoredAt } = session.state
  const [seen, setSeen] = useState(false)
  const [now] = useState(() => Date.now())
  if (restoredAt === null || seen) return null
  const moment = isSameDay(restoredAt, now) ? timeOfDay(restoredAt) : ago(restoredAt, now)
  return (
    <Notice
      tone="info"
      title={`Draft from ${moment} restored`}
      action={
        <Button size="xs" onClick={() => void session.clear()}>
          Discard draft
        </Button>
      }
      end={
        <IconButton label="Dismiss" icon={<IconX size={16} stroke={1.75} />} onClick={() => setSeen(true)} />
      }
    >
      Drafts stay in this browser only, for 14 days.
    </Notice>
  )
}

/** Says what every row needs and no column holds: until then nothing can be sent. */
function MissingNotice({ session }: { session: ImportSession }) {
  const { missing, fields } = session.state
  const key = missing[0]?.fields[0]
  if (key === undefined) return null
  const constant = fields.some((field) => field.key === key && field.constant)
  return (
    <Notice
      tone="warning"
      title={`No column contains ${inSentence(missing.map(({ label }) => label))}`}
      action={
        <Button size="xs" onClick={() => void session.addColumn(key)}>
          Add an empty column
        </Button>
      }
    >
      Choose {missing.length === 1 ? "it" : "them"} above the columns
      {constant ? ", or give one value for all rows." : "."} Until then no row can be sent.
    </Notice>
  )
}

/** "points", "points and reason", "points, reason and reference". */
function inSentence(labels: readonly string[]): string {
  const [first = "", ...rest] = labels.map((label) => label.charAt(0).toLowerCase() + label.slice(1))
  const last = rest.pop()
  return last === undefined ? first : `${[first, ...rest].join(", ")} and ${last}`
}

/** Values for all rows, for what no column holds: "Reason for all rows". */
function ConstantFields({ session }: { session: ImportSession }) {
  const { fields, columns, constants } = session.state
  const open = fields.filter(
    ({ key, constant, required }) =>
      constant && columns.every(({ field }) => field !== key) && (required || constants[key] !== undefined),
  )
  if (open.length === 0) return null
  return (
    <div className={classes.constants}>
      {open.map((field) => (
        // After an undo the field shows what it held before.
        <ConstantField key={`${field.key} ${constants[field.key] ?? ""}`} session={session} field={field} />
      ))}
    </div>
  )
}

function ConstantField({ session, field }: { session: ImportSession; field: FieldView }) {
  const { constants, constantProblems } = session.state
  const before = constants[field.key] ?? ""
  const [text, setText] = useState(before)
  const problem = constantProblems[field.key]
  const keep = () => {
    if (text.trim() !== before) void session.fill(field.key, text.trim())
  }
  return (
    <TextInput
      label={`${field.label} for all rows`}
      value={text}
      error={problem === undefined ? undefined : <FieldError message={problem} />}
      onChange={({ currentTarget }) => setText(currentTarget.value)}
      onBlur={keep}
      onKeyDown={({ key }) => {
        if (key === "Enter") keep()
      }}
    />
  )
}

const filterLabels: Readonly<Record<RowFilter, string>> = {
  all: "All",
  problems: "Problems",
  checks: "To check",
  ready: "Ready",
  out: "Excluded",
}

/** Which rows are shown, with how many there are of each, and what can be done with all of them. */
function FilterTabs({ session, fixed }: { session: ImportSession; fixed: boolean }) {
  const { filter, counts, canUndo } = session.state
  const offered = rowFilters.filter((each) => each !== "out" || counts.out > 0 || filter === "out")
  return (
    <div className={classes.tabs}>
      <SegmentedControl
        aria-label="Rows to show"
        withItemsBorders={false}
        value={filter}
        data={offered.map((each) => ({
          value: each,
          label: (
            <span className={classes.tab}>
              {each === "problems" && <IconAlertCircle size={14} stroke={2} aria-hidden data-tone="danger" />}
              {each === "checks" && (
                <IconAlertTriangle size={14} stroke={2} aria-hidden data-tone="warning" />
              )}
              {filterLabels[each]} <span className="l-num text-muted">{formatCount(counts[each])}</span>
            </span>
          ),
        }))}
        onChange={(chosen) => {
          const next = rowFilters.find((each) => each === chosen)
          if (next !== undefined) void session.show(next)
        }}
      />
      <div className={classes.tools}>
        {filter === "checks" && counts.checks > 0 && <KeepAll session={session} />}
        <span className={classes.hint}>
          Edit a cell in place. <kbd>F8</kbd> next problem
        </span>
        <IconButton
          label="Undo"
          disabled={!canUndo}
          icon={<IconArrowBackUp size={16} stroke={1.75} />}
          onClick={() => void session.undo()}
        />
        {!fixed && (
          <Button size="xs" onClick={() => void session.addRows(1)}>
            Add a row
          </Button>
        )}
      </div>
    </div>
  )
}

const checkKinds = [
  ["repeat", "repeats", "repeated row"],
  ["duplicate", "duplicates", "duplicate"],
  ["outlier", "outliers", "large amount"],
  ["check", "others", "other"],
] as const

/** Decides every row of a kind at once. */
function KeepAll({ session }: { session: ImportSession }) {
  const { kept, leftOut } = session.state
  return checkKinds.map(([code, kind, noun]) => {
    const open = leftOut[kind] > 0
    const count = open ? leftOut[kind] : kept[kind]
    return (
      count > 0 && (
        <Button
          key={code}
          size="xs"
          variant="subtle"
          onClick={() => void session.decide(code, open ? "keep" : "leave")}
        >
          {open ? "Keep" : "Exclude"} {counted(count, noun)}
        </Button>
      )
    )
  })
}
