import { Box, Checkbox, FileButton, Group, NativeSelect, Stack } from "@mantine/core"
import { useWindowEvent } from "@mantine/hooks"
import { IconChevronDown, IconFileDownload, IconFileSpreadsheet } from "@tabler/icons-react"
import { lazy, Suspense, useRef, useState, type ComponentProps, type ReactNode } from "react"
import { jobKindDescriptors, type JobKind } from "../../contract/job-kinds.ts"
import { useCan } from "../api/session.ts"
import { counted } from "../lib/format.ts"
import { SelectChevron } from "../ui/field-parts.tsx"
import { ProgressLine } from "../ui/meter.tsx"
import { Denied } from "../lists/require-permission.tsx"
import { PageHeader } from "../ui/page-header.tsx"
import { Popover } from "../ui/popover.tsx"
import { EmptyState, SkeletonRows } from "../ui/query-state.tsx"
import type { ImportSession } from "./import-session.ts"
import classes from "./import.module.css"
import { delimiterLabels, delimiters, encodings } from "./recipe.ts"
import { RefusalNotice } from "./refusal-notice.tsx"
import type { ImportSource, ReadingChoice, SheetView } from "./sheet-view.ts"
import { Button } from "../ui/button.tsx"

const loadSheet = () => import("./import-sheet.tsx")
const ImportSheet = lazy(async () => ({ default: (await loadSheet()).ImportSheet }))
const ConfirmDialog = lazy(async () => ({
  default: (await import("../ui/confirm-dialog.tsx")).ConfirmDialog,
}))

/** A page that makes a job from a file: the rows, and `children` with the summary and the button. */
export function ImportPage(
  props: Pick<ComponentProps<typeof PageHeader>, "title" | "path"> & {
    session: ImportSession
    help: string
    rows: string
    note?: ReactNode
    above?: ReactNode
    instead?: ReactNode
    /** Another source of rows, below that of files. */
    intake?: ReactNode
    children: ReactNode
  },
) {
  const { session, help, rows, note, above, instead, intake, children, ...header } = props
  const { phase } = session.state
  const ready = phase === "ready"
  // Loaded while the file is read, so that the rows do not wait for the table.
  if (phase === "reading") void loadSheet()
  return (
    <Stack gap={0} className={`grow ${classes.page}`}>
      <PageHeader
        {...header}
        pill={ready && <FileLine session={session} />}
        {...(ready ? { actions: <ReplaceFile session={session} /> } : {})}
      />
      {note}
      <DropArea session={session} />
      {ready ? (
        <div className={`grow line-above ${classes.frame}`}>
          <Stack gap={0} className={`grow ${classes.sheet}`}>
            {above}
            <Suspense fallback={<SkeletonRows rows={12} columns={[64, 200, 120, 200]} />}>
              {instead || <ImportSheet session={session} label={rows} />}
            </Suspense>
          </Stack>
          <Stack
            component="aside"
            gap={20}
            className={`grow scroll ${classes.side}`}
            aria-label="What will happen"
          >
            <Suspense>{children}</Suspense>
          </Stack>
        </div>
      ) : (
        <Intake session={session} help={help} title={header.title} more={intake} />
      )}
    </Stack>
  )
}

/** The end of the panel with its button: at the bottom, whatever is above it. */
export function PanelEnd({ children }: { children: ReactNode }) {
  return (
    <Stack gap={12} mt="auto" className={classes.end}>
      {children}
    </Stack>
  )
}

/** The page for a role without the permission: "Importing members requires the Manager role". */
export function ImportDenied(
  props: Pick<ComponentProps<typeof PageHeader>, "title" | "path"> & {
    kind: JobKind
    requires: string
  },
) {
  const { kind, requires, ...header } = props
  const { reads, labels } = jobKindDescriptors[kind]
  return (
    <>
      <PageHeader {...header} />
      <Denied title={requires}>{useCan(reads) && labels.notAllowed}</Denied>
    </>
  )
}

function Intake(props: { session: ImportSession; help: string; title: string; more: ReactNode }) {
  const { session, help, title, more } = props
  const { phase, progress } = session.state
  const saveTemplate = async (format: "comma" | "xlsx") => {
    const columns = await session.read((sheet) => sheet.columnNames())
    const { saveTable } = await import("../lib/table-file.ts")
    await saveTable({ name: `${title} template`, columns, rows: [], format })
  }
  if (phase === "starting") return null
  if (phase === "reading") {
    return (
      <Stack gap={12} w="min(480px, 100%)" mx="auto" my={64} px="gutter">
        <p id="import-reading">Reading and checking the rows…</p>
        <ProgressLine aria-labelledby="import-reading" value={progress} />
      </Stack>
    )
  }
  return (
    <Stack gap={12} px="gutter" py={12}>
      <RefusalNotice session={session} />
      <Box bd="1px dashed var(--l-border-2)" bdrs="lg">
        <EmptyState
          icon={IconFileSpreadsheet}
          title="Drop a CSV or Excel file, or paste rows from a spreadsheet"
          help={
            <>
              {help}
              <span className="touch-hidden">
                {" "}
                Copied cells can be pasted here with <kbd>Ctrl V</kbd>.
              </span>
            </>
          }
          actions={
            <>
              <ChooseFile variant="filled" label="Choose a file" session={session} />
              <Button onClick={() => void session.open({ kind: "blank" })}>Enter rows manually</Button>
              <Button variant="subtle" onClick={() => void saveTemplate("comma")}>
                CSV template
              </Button>
              <Button variant="subtle" onClick={() => void saveTemplate("xlsx")}>
                Excel template
              </Button>
            </>
          }
        />
      </Box>
      {more}
    </Stack>
  )
}

function ChooseFile(props: { session: ImportSession; label: string; variant?: "filled" }) {
  const { session, label, variant = "default" } = props
  const reset = useRef<() => void>(null)
  return (
    <FileButton
      resetRef={reset}
      accept=".csv,.tsv,.txt,.xlsx,.xlsm,text/csv,text/tab-separated-values,text/plain"
      inputProps={{ "aria-label": label }}
      onChange={(file) => {
        // The same file can be chosen again after a correction.
        reset.current?.()
        if (file !== null) void session.open({ kind: "file", file })
      }}
    >
      {(button) => (
        <Button variant={variant} {...button}>
          {label}
        </Button>
      )}
    </FileButton>
  )
}

/** Whether the open rows were edited, so that replacing them needs a confirmation. */
function isWorkedOn({ phase, canUndo, restoredAt }: ImportSession["state"]): boolean {
  return phase === "ready" && (canUndo || restoredAt !== null)
}

function ReplaceFile({ session }: { session: ImportSession }) {
  const [asking, setAsking] = useState(false)
  if (!isWorkedOn(session.state)) return <ChooseFile label="Replace file" session={session} />
  return (
    <>
      <Button onClick={() => setAsking(true)}>Start over</Button>
      {asking && (
        <ConfirmDiscard
          title="Start over with another file"
          action="Discard these rows"
          onClose={() => setAsking(false)}
          onConfirm={() => session.change((sheet) => sheet.clear())}
        >
          The rows of {session.state.name} and what was changed in them are discarded. Nothing has been sent.
        </ConfirmDiscard>
      )}
    </>
  )
}

function ConfirmDiscard(
  props: Pick<ComponentProps<typeof ConfirmDialog>, "title" | "action" | "onClose" | "children"> & {
    onConfirm: () => Promise<void>
  },
) {
  const confirm = () => {
    props.onClose()
    void props.onConfirm()
  }
  return (
    <Suspense>
      <ConfirmDialog {...props} tone="danger" onConfirm={confirm} />
    </Suspense>
  )
}

const pasteTargets = "input, textarea, select, [contenteditable=true], dialog, [role=dialog], [role=grid]"

type Dropped = Extract<ImportSource, { kind: "file" | "paste" }>

/** Whether a pasted text is a table: one cell or line is for a cell that was not selected. */
const isTable = (text: string) => /\n./.test(text.trim())

/** Accepts a dropped file and a pasted table; confirms before rows are replaced that were edited, or by a paste. */
function DropArea({ session }: { session: ImportSession }) {
  const [over, setOver] = useState(false)
  const [waiting, setWaiting] = useState<Dropped | null>(null)
  const { open } = session
  const { phase } = session.state
  useWindowEvent("dragover", (event) => {
    if (event.dataTransfer?.types.includes("Files") !== true) return
    // Otherwise the browser would open the file.
    event.preventDefault()
    setOver(true)
  })
  useWindowEvent("dragleave", ({ relatedTarget }) => {
    if (relatedTarget === null) setOver(false)
  })
  useWindowEvent("drop", (event) => {
    if (event.dataTransfer?.types.includes("Files") !== true) return
    event.preventDefault()
    setOver(false)
    const file = event.dataTransfer.files[0]
    if (file === undefined || phase === "starting") return
    if (isWorkedOn(session.state)) setWaiting({ kind: "file", file })
    else void open({ kind: "file", file })
  })
  useWindowEvent("paste", (event) => {
    const { target, clipboardData } = event
    if (target instanceof Element && target.closest(pasteTargets) !== null) return
    const file = clipboardData?.files[0]
    const text = clipboardData?.getData("text/plain") ?? ""
    const source: Dropped =
      file !== undefined && text === "" ? { kind: "file", file } : { kind: "paste", text }
    if (phase === "empty") void open(source)
    else if (phase === "ready" && (source.kind === "file" || isTable(text))) setWaiting(source)
    else return
    event.preventDefault()
  })

  return (
    <>
      {over && (
        <Stack
          pos="fixed"
          inset={12}
          align="center"
          justify="center"
          gap="sm"
          bd="2px dashed var(--l-accent)"
          bdrs="lg"
          bg="var(--l-accent-soft)"
          c="var(--l-accent-text)"
          fw={600}
          style={{ zIndex: 400, pointerEvents: "none" }}
          aria-hidden
        >
          <IconFileDownload size={28} stroke={1.5} />
          Drop the file here
        </Stack>
      )}
      {waiting !== null && (
        <ConfirmDiscard
          title={`Replace the rows with ${waiting.kind === "file" ? waiting.file.name : "the pasted ones"}`}
          action="Replace the rows"
          onClose={() => setWaiting(null)}
          onConfirm={() => open(waiting)}
        >
          {isWorkedOn(session.state) && "Your changes to these rows will be lost. "}Nothing has been sent.
        </ConfirmDiscard>
      )}
    </>
  )
}

function FileLine({ session }: { session: ImportSession }) {
  const { name, description, origin } = session.state
  return (
    <Group component="span" display="inline-flex" gap="4px 8px" className={`text-muted ${classes.file}`}>
      <IconFileSpreadsheet size={16} stroke={1.75} aria-hidden />
      <span className="truncate text-secondary l-medium">{name}</span>
      {origin === null || (origin.encoding === null && origin.excel === null) ? (
        description
      ) : (
        <Popover
          label="How the file was read"
          width={280}
          button={
            <button type="button">
              {description}
              <IconChevronDown size={14} stroke={1.75} aria-hidden />
            </button>
          }
        >
          {() => <ReadingChoices session={session} origin={origin} />}
        </Popover>
      )}
    </Group>
  )
}

function ReadingChoices({ session, origin }: { session: ImportSession; origin: SheetView["origin"] }) {
  const { encoding, delimiter, headerAt, style, styleMatters, excel } = origin
  if (!session.state.canReread) return <Box p={12}>To use other settings, choose the file again.</Box>
  const reread = (choice: ReadingChoice) => void session.reread(choice)
  return (
    <Stack gap={12} p={12}>
      {excel === null ? (
        <>
          {choice("Encoding", encoding ?? "utf-8", encodings, (chosen) => reread({ encoding: chosen }))}
          {choice("Delimiter", delimiter, namedDelimiters, (chosen) => reread({ delimiter: chosen }))}
        </>
      ) : (
        <WorkbookChoices excel={excel} reread={reread} />
      )}
      {styleMatters && choice("Number format", style, numberFormats, (chosen) => reread({ style: chosen }))}
      <Checkbox
        label="First row has column names"
        checked={headerAt !== null}
        onChange={({ currentTarget }) => reread({ headerAt: currentTarget.checked ? 0 : null })}
      />
      <p className="l-meta text-muted">Reloading restores the rows as they are in the file.</p>
    </Stack>
  )
}

function WorkbookChoices(props: {
  excel: NonNullable<SheetView["origin"]["excel"]>
  reread: (choice: ReadingChoice) => void
}) {
  const { excel, reread } = props
  const { sheet, sheets, hiddenRows, hiddenColumns, allDigits, found } = excel
  const named = sheets.map(({ name, hidden }) => [name, hidden ? `${name} (hidden)` : name] as const)
  const box = (label: string, checked: boolean, change: (checked: boolean) => ReadingChoice) => (
    <Checkbox
      label={label}
      checked={checked}
      onChange={({ currentTarget }) => reread(change(currentTarget.checked))}
    />
  )
  return (
    <>
      {sheets.length > 1 && choice("Sheet", sheet, named, (chosen) => reread({ sheet: chosen }))}
      {found.hiddenRows > 0 &&
        box(`Read ${counted(found.hiddenRows, "hidden row")}`, hiddenRows, (on) => ({ hiddenRows: on }))}
      {found.hiddenColumns > 0 &&
        box(`Read ${counted(found.hiddenColumns, "hidden column")}`, hiddenColumns, (on) => ({
          hiddenColumns: on,
        }))}
      {(found.shortened > 0 || allDigits) &&
        box("All digits of numbers that Excel shortens", allDigits, (on) => ({ allDigits: on }))}
    </>
  )
}

const namedDelimiters = delimiters.map((each) => [each, delimiterLabels[each]] as const)
const numberFormats = [
  [".", "1,250.00"],
  [",", "1.250,00"],
] as const

function choice<T extends string>(
  label: string,
  value: T,
  options: readonly (readonly [value: T, label: string])[],
  onChange: (chosen: T) => void,
) {
  return (
    <NativeSelect
      label={label}
      value={value}
      data={options.map(([each, name]) => ({ value: each, label: name }))}
      rightSection={<SelectChevron />}
      onChange={({ currentTarget }) => {
        const chosen = options.find(([each]) => each === currentTarget.value)
        if (chosen !== undefined) onChange(chosen[0])
      }}
    />
  )
}
