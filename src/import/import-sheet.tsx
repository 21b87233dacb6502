import { Group, NativeSelect, Stack, TextInput, SegmentedControl } from "@mantine/core"
import {
  IconAlertCircle,
  IconAlertTriangle,
  IconArrowBackUp,
  IconListCheck,
  type Icon,
} from "@tabler/icons-react"
import { useMemo, useRef, useState } from "react"
import { counted, formatCount, listed } from "../lib/format.ts"
import { ago, isSameDay, timeOfDay } from "../lib/time.ts"
import { fittingColumns, useRoom } from "../lists/list-columns.ts"
import { FieldError, SelectChevron } from "../ui/field-parts.tsx"
import { Button, IconButton } from "../ui/button.tsx"
import { Notice } from "../ui/notice.tsx"
import { EmptyState } from "../ui/query-state.tsx"
import { ImportGrid } from "./grid.tsx"
import type { ImportSession } from "./import-session.ts"
import classes from "./import.module.css"
import { encodingLabel, type EncodingName, encodings } from "./recipe.ts"
import { RefusalNotice } from "./refusal-notice.tsx"
import type { FieldView, ReadingChoice, SheetView } from "./sheet-view.ts"
import { actionsWidth, numberWidth, shownColumns } from "./use-grid.ts"

/** What prevents sending, the filter, and the rows. `fixed`: only cell texts can be edited. */
export function ImportSheet(props: {
  session: ImportSession
  label: string
  fixed?: boolean
  canExclude?: boolean
}) {
  const { session, label, fixed = false, canExclude = true } = props
  const { state, change } = session
  const [allColumns, setAllColumns] = useState(false)
  const sheet = useRef<HTMLDivElement>(null)
  const [usual, every] = useMemo(
    () => [shownColumns(state, false, fixed), shownColumns(state, true, fixed)],
    [state, fixed],
  )
  const room = useRoom(sheet, numberWidth + actionsWidth)
  const fitting = useMemo(() => fittingColumns(usual, room), [usual, room])
  const columns = allColumns ? every : fitting
  const hidden = state.columns.length - fitting.length
  return (
    <Stack ref={sheet} gap={0} className={`grow ${classes.sheet}`}>
      <Stack gap={8} className={classes.notices}>
        <DraftNotice session={session} />
        <RefusalNotice session={session} />
        <EncodingNotice session={session} />
        <WorkbookNotes session={session} />
        <MissingNotice session={session} />
        {state.origin?.notes.map((note) => (
          <p key={note} className="text-secondary">
            {note}
          </p>
        ))}
        {state.cleaned.cells > 0 && (
          <p className="text-secondary">
            Invisible characters were removed from {counted(state.cleaned.cells, "cell")} (
            {listed(state.cleaned.labels)}).
          </p>
        )}
        {hidden > 0 && (
          <Group gap={4} className="text-secondary">
            {allColumns ? "All columns are shown." : `${counted(hidden, "unused column")} hidden.`}{" "}
            <Button size="xs" variant="subtle" onClick={() => setAllColumns(!allColumns)}>
              {allColumns ? "Hide those not used" : "Show all"}
            </Button>
          </Group>
        )}
      </Stack>
      <ConstantFields session={session} />
      <FilterTabs session={session} fixed={fixed} />
      {state.shown === 0 ? (
        <EmptyState
          icon={IconListCheck}
          title={state.filter === "all" ? "No rows are left" : "No rows here"}
          help={state.filter === "problems" ? "Every row is fine." : undefined}
          actions={
            state.filter !== "all" && (
              <Button onClick={() => void change((sheet) => sheet.filter("all"))}>Show all rows</Button>
            )
          }
        />
      ) : (
        // A new view starts at its top.
        <ImportGrid key={state.filter} {...{ session, label, columns, fixed, canExclude }} />
      )}
    </Stack>
  )
}

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
        <Button size="xs" onClick={() => void session.change((sheet) => sheet.clear())}>
          Discard draft
        </Button>
      }
      onClose={() => setSeen(true)}
    >
      Drafts stay in this browser only, for 14 days.
    </Notice>
  )
}

/** The encoding is ambiguous: shows affected cells and offers every other encoding. */
function EncodingNotice({ session }: { session: ImportSession }) {
  const { origin, canReread, key } = session.state
  const [accepted, setAccepted] = useState<string>()
  if (origin === null || origin.encoding === null || origin.guess === null || accepted === key) return null
  const { encoding, guess } = origin
  const cellsIn = (name: EncodingName) => guess.find((each) => each.encoding === name)?.cells.join(", ") ?? ""
  const options = encodings.map(([value, label]) => {
    const cells = cellsIn(value)
    return { value, label: cells === "" ? label : `${label}: ${cells}` }
  })
  return (
    <Notice
      tone="warning"
      title={
        encoding === "utf-8-twice"
          ? "This file was saved as UTF-8 twice, and was repaired"
          : `Encoding guessed: ${encodingLabel(encoding)}`
      }
      action={
        <Group gap={8}>
          {canReread && (
            <NativeSelect
              aria-label="How the file was saved"
              maw="min(340px, 100%)"
              value={encoding}
              data={options}
              rightSection={<SelectChevron />}
              onChange={({ currentTarget }) => {
                const chosen = encodings.find(([name]) => name === currentTarget.value)
                if (chosen !== undefined) void session.reread({ encoding: chosen[0] })
              }}
            />
          )}
          <Button size="xs" onClick={() => setAccepted(key)}>
            These are right
          </Button>
        </Group>
      }
    >
      Some cells read: {cellsIn(encoding)}.{" "}
      {canReread
        ? "If they look wrong, choose how the file was saved."
        : "If they look wrong, choose the file again."}
    </Notice>
  )
}

const hiddenText = (count: number, noun: string, isRead: boolean) =>
  `${counted(count, noun)} ${count === 1 ? "is" : "are"} ${isRead ? "read too" : "left out"}.`
const hiddenAction = (isRead: boolean) => (isRead ? "Leave out" : "Read too")

/** What a workbook hides or shortens, with the other choice: after an edit only in the menu of the file. */
function WorkbookNotes({ session }: { session: ImportSession }) {
  const { origin, canReread, canUndo } = session.state
  const excel = origin?.excel
  if (excel === null || excel === undefined) return null
  const { hiddenRows, hiddenColumns, found } = excel
  const line = (count: number, text: string, action: string, choice: ReadingChoice) =>
    count > 0 && (
      <Group gap={4} className="text-secondary">
        {text}{" "}
        {canReread && !canUndo && (
          <Button size="xs" variant="subtle" onClick={() => void session.reread(choice)}>
            {action}
          </Button>
        )}
      </Group>
    )
  return (
    <>
      {line(
        found.hiddenRows,
        hiddenText(found.hiddenRows, "hidden row", hiddenRows),
        hiddenAction(hiddenRows),
        {
          hiddenRows: !hiddenRows,
        },
      )}
      {line(
        found.hiddenColumns,
        hiddenText(found.hiddenColumns, "hidden column", hiddenColumns),
        hiddenAction(hiddenColumns),
        { hiddenColumns: !hiddenColumns },
      )}
      {line(
        found.shortened,
        `Excel shortens ${counted(found.shortened, "number")}, as in 1.23E+11.`,
        "Use all digits",
        { allDigits: true },
      )}
    </>
  )
}

function MissingNotice({ session }: { session: ImportSession }) {
  const { missing, fields } = session.state
  const question = missing.find(({ choices }) => choices !== undefined)
  if (question !== undefined) return <ColumnQuestion session={session} question={question} />
  const key = missing[0]?.fields[0]
  if (key === undefined) return null
  const constant = fields.some((field) => field.key === key && field.constant)
  const labels = missing.map(({ label }) => label.charAt(0).toLowerCase() + label.slice(1))
  return (
    <Notice
      tone="warning"
      title={labels.map((label) => `Which column is the ${label}?`).join(" ")}
      action={
        <Button size="xs" onClick={() => void session.change((sheet) => sheet.addColumn(key))}>
          Add an empty column
        </Button>
      }
    >
      Choose {missing.length === 1 ? "it" : "them"} above the columns
      {constant ? ", or give one value for all rows." : "."} Until then no row is ready.
    </Notice>
  )
}

/** Asks which of several columns with the same name to use. */
function ColumnQuestion(props: { session: ImportSession; question: SheetView["missing"][number] }) {
  const { session, question } = props
  const { label, fields, choices = [] } = question
  const [field = ""] = fields
  return (
    <Notice
      tone="warning"
      title={`${choices.length} columns are called “${choices[0]?.name ?? ""}”. Which one has ${label.toLowerCase()}?`}
      action={
        <Group gap={8}>
          {choices.map(({ column, texts }) => (
            <Button
              size="xs"
              key={column}
              onClick={() => void session.change((sheet) => sheet.map(column, field))}
            >
              Column {column + 1}: {texts.length === 0 ? "empty" : texts.join(", ").slice(0, 60)}
            </Button>
          ))}
          <Button
            size="xs"
            variant="subtle"
            onClick={() => void session.change((sheet) => sheet.chooseNone(field))}
          >
            None of them
          </Button>
        </Group>
      }
    >
      No row can be sent until you choose.
    </Notice>
  )
}

function ConstantFields({ session }: { session: ImportSession }) {
  const { fields, columns, constants, missing } = session.state
  const isInQuestion = (key: string) =>
    missing.some((each) => each.choices !== undefined && each.fields.includes(key))
  const open = fields.filter(
    ({ key, constant, required }) =>
      constant &&
      !isInQuestion(key) &&
      columns.every(({ field }) => field !== key) &&
      (required || constants[key] !== undefined),
  )
  if (open.length === 0) return null
  return (
    <Group gap={12} px="gutter" pt={12} align="flex-start">
      {open.map((field) => (
        // After an undo the field shows its previous value.
        <ConstantField key={`${field.key} ${constants[field.key] ?? ""}`} session={session} field={field} />
      ))}
    </Group>
  )
}

function ConstantField({ session, field: { key, label } }: { session: ImportSession; field: FieldView }) {
  const { constants, constantProblems } = session.state
  const before = constants[key] ?? ""
  const [text, setText] = useState(before)
  const problem = constantProblems[key]
  const keep = () => {
    if (text.trim() !== before) void session.change((sheet) => sheet.fill(key, text.trim()))
  }
  return (
    <TextInput
      flex="0 1 320px"
      label={`${label} for all rows`}
      value={text}
      error={problem && <FieldError message={problem} />}
      onChange={({ currentTarget }) => setText(currentTarget.value)}
      onBlur={keep}
      onKeyDown={({ key: pressed, nativeEvent }) => {
        if (pressed === "Enter" && !nativeEvent.isComposing) keep()
      }}
    />
  )
}

const filters = [
  { value: "all", label: "All" },
  { value: "problems", label: "Problems", icon: IconAlertCircle, color: "var(--l-danger-mark)" },
  { value: "checks", label: "To check", icon: IconAlertTriangle, color: "var(--l-warning-mark)" },
  { value: "ready", label: "Ready" },
  { value: "out", label: "Left out" },
] as const satisfies readonly { value: string; label: string; icon?: Icon; color?: string }[]

const checkCodes = ["repeat", "duplicate", "outlier", "check"] as const
const checkNouns = { repeat: "repeated row", duplicate: "duplicate", outlier: "large amount", check: "other" }

function FilterTabs({ session: { change, state }, fixed }: { session: ImportSession; fixed: boolean }) {
  const { filter, counts, canUndo, leftOut, acknowledged } = state
  const offered = filters.filter(({ value }) => value !== "out" || counts.out > 0 || filter === "out")
  const keepAll = (code: keyof typeof checkNouns) => {
    const open = leftOut[code] > 0
    const count = open ? leftOut[code] : acknowledged[code]
    const decide = () => void change((sheet) => sheet.decide(code, open ? "keep" : "leave"))
    return (
      count > 0 && (
        <Button size="xs" key={code} variant="subtle" onClick={decide}>
          {open ? "Keep" : "Leave out"} {counted(count, checkNouns[code])}
        </Button>
      )
    )
  }
  return (
    <Group gap={8} flex="none" maw={1760} px="gutter" py={12}>
      <SegmentedControl
        aria-label="Rows to show"
        value={filter}
        data={offered.map(({ value, label, ...mark }) => ({
          value,
          label: (
            <>
              {"icon" in mark && <mark.icon size={14} stroke={2} color={mark.color} aria-hidden />}
              {label} <span className="l-num text-muted">{formatCount(counts[value])}</span>
            </>
          ),
        }))}
        onChange={(next) => void change((sheet) => sheet.filter(next))}
      />
      <Group gap={8} ml={{ base: 0, sm: "auto" }}>
        {filter === "checks" && counts.checks > 0 && checkCodes.map(keepAll)}
        <span className={`l-meta text-muted ${classes.hint}`}>
          Edit a cell in place. <kbd>F8</kbd> next problem
        </span>
        <IconButton
          label="Undo"
          disabled={!canUndo}
          icon={<IconArrowBackUp size={16} stroke={1.75} />}
          onClick={() => void change((sheet) => sheet.undo())}
        />
        {!fixed && (
          <Button size="xs" onClick={() => void change((sheet) => sheet.addRow())}>
            Add a row
          </Button>
        )}
      </Group>
    </Group>
  )
}
