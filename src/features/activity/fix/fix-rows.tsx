import { hasPoints, jobKindDescriptors } from "../../../../contract/job-kinds.ts"
import { Box, Group, Stack } from "@mantine/core"
import { IconCircleCheck } from "@tabler/icons-react"
import { keepPreviousData, queryOptions, useMutation, useQuery } from "@tanstack/react-query"
import { useEffect, useMemo } from "react"
import type { Correction } from "../../../../contract/kinds/points.ts"
import type { Job } from "../../../../contract/job.ts"
import type { JobRow } from "../../../../contract/job-rows.ts"
import { limits } from "../../../../contract/limits.ts"
import { ApiError } from "../../../lib/errors.ts"
import {
  readJobRows,
  rowNumber,
  useControlJob,
  useEditRows,
  useLeaveOut,
  useRetryJob,
} from "../../../api/jobs.ts"
import { problemsOf, useLeaveGuard } from "../../../forms/form.tsx"
import { JobReason, useReason } from "../../../forms/job-reason.tsx"
import { useImport, type ImportSession } from "../../../import/import-session.ts"
import type { Mark } from "../../../import/sheet-view.ts"
import { ImportSheet } from "../../../import/import-sheet.tsx"
import { useSheetFacts } from "../../../import/sheet-facts.ts"
import { counted, formatCount } from "../../../lib/format.ts"
import { ErrorNotice, Notice } from "../../../ui/notice.tsx"
import { EmptyState, QueryState, SkeletonRows } from "../../../ui/query-state.tsx"
import { useShow } from "../job-hooks.tsx"
import { pauseText } from "../job-notes.tsx"
import { outcomeLabel } from "../job-status.tsx"
import {
  columnFor,
  fixedInput,
  fixSource,
  leftOutChecks,
  otherAmounts,
  refusedPairs,
  completeInput,
} from "./fix-model.ts"
import { Button } from "../../../ui/button.tsx"
import { useFocusBack } from "../../../ui/hooks.ts"

/** States of rows that can be corrected: failed or left out, or unsent in a paused job. */
type OpenState = "failed" | "planned" | "excluded"

const labels = {
  failed: {
    action: "Fix",
    row: "failed row",
    noun: "failed rows",
    none: "No failed rows",
    help: "There’s nothing to fix.",
    rows: "Failed rows",
    status: "What went wrong",
    intro:
      "Nothing was done for these rows. Correct them and send them again. Unchanged rows are retried as they are.",
  },
  excluded: {
    action: "Fix",
    row: "left-out row",
    noun: "left-out rows",
    none: "No left-out rows",
    help: "There’s nothing to fix.",
    rows: "Left-out rows",
    status: "Why it was left out",
    intro:
      "Nothing was sent for these rows. They are shown as in the file, with decimal points. Correct them, or keep those that are right, and send them. The others stay left out.",
  },
  planned: {
    action: "Edit",
    row: "unsent row",
    noun: "rows that weren’t sent",
    none: "No rows to edit",
    help: "Every row was sent, or may have been carried out already.",
    rows: "Unsent rows",
    status: "State",
    intro: "Nothing was done for these rows. Correct them, then resume: they are sent as they are here.",
  },
} as const

/** The rows to correct, up to the limit of one request; read once, so that they do not move meanwhile. */
function openRowsQuery(id: string, state: OpenState) {
  return queryOptions({
    queryKey: ["job-open-rows", id, state],
    queryFn: async ({ signal }) => {
      const rows = new Map<number, JobRow>()
      for (let page = 1; ; page += 1) {
        const read = await readJobRows(id, { state, page, per_page: limits.perPage.max }, signal)
        // A row that may have been carried out is reconciled by the engine or decided by a person, never edited.
        for (const row of read.rows) if (state !== "planned" || row.can_edit === true) rows.set(row.row, row)
        const enough = rows.size >= limits.jobRowsAdded || page * limits.perPage.max >= read.total
        if (enough || read.rows.length === 0) {
          return { rows: [...rows.values()].slice(0, limits.jobRowsAdded), total: read.total }
        }
      }
    },
    staleTime: Infinity,
    gcTime: 0,
    refetchOnWindowFocus: false,
  })
}

/** Corrects failed rows, or unsent rows of a paused job, in place. */
export function FixRows({ job, state }: { job: Job; state: OpenState }) {
  useFocusBack()
  const query = useQuery(openRowsQuery(job.id, state))
  const { noun, none, help } = labels[state]
  return (
    <QueryState query={query} noun={noun}>
      {({ rows, total }) =>
        rows.length === 0 ? (
          <EmptyState icon={IconCircleCheck} title={none} help={help} />
        ) : (
          <FixSheet {...{ job, state, rows, total }} />
        )
      }
    </QueryState>
  )
}

function FixSheet(props: { job: Job; state: OpenState; rows: readonly JobRow[]; total: number }) {
  const { job, state, rows, total } = props
  const { kind } = job
  const isFailed = state === "failed"
  const isLeftOut = state === "excluded"
  const session = useImport(kind, null)
  useSheetFacts(session, { cards: jobKindDescriptors[kind].record === "card", members: hasPoints(kind) })
  const { phase, included, counts, busy, key, revision } = session.state
  const show = useShow()
  const { access, ...reason } = useReason(job)

  useOpenedSheet(session, job, state, rows)
  const { read, change } = session

  /** The rows to send, with all edits so far. */
  const readRows = async (): Promise<readonly FixedRow[]> => {
    const byNumber = new Map(rows.map((row) => [rowNumber(row), row]))
    return (await read((sheet) => sheet.accepted(0, limits.jobRowsAdded))).flatMap(
      ({ number, row: built }) => {
        const row = byNumber.get(number)
        if (row === undefined) return []
        const input = fixedInput(kind, row, built)
        const isEdited = input !== undefined || built["correction"] !== undefined
        return [{ row, input: isLeftOut ? completeInput(row, built) : input, isEdited }]
      },
    )
  }
  const { data: fixed } = useQuery({
    queryKey: ["fixed-rows", key, revision],
    queryFn: readRows,
    enabled: phase === "ready" && !busy,
    placeholderData: keepPreviousData,
    gcTime: 0,
    retry: false,
  })
  const edited = fixed?.some(({ isEdited }) => isEdited) === true
  /** Failed rows that the user removed from the table count as left out. */
  const leftOut = isFailed ? counts.out : 0

  const send = useSend(job, state, change)
  const guard = useLeaveGuard({ unsaved: edited && !send.isSuccess })
  // A paused job sends all its rows, so none may have a problem.
  const ready =
    phase === "ready" &&
    (included > 0 || (leftOut > 0 && leftOut === counts.all)) &&
    (state !== "planned" || included === counts.all)
  const unsentAction = edited ? "Save and resume" : "Resume"
  const start = async () => {
    const now = await readRows()
    // The last edit changed which rows are sent: show the new count before sending.
    if (now.length !== included) return
    // Failed rows to be left out, from the sheet's complete data.
    const out = leftOut === 0 ? [] : await read((sheet) => sheet.excludedNumbers())
    const byNumber = new Map(rows.map((row) => [rowNumber(row), row.row]))
    const numbers = out.flatMap((number) => byNumber.get(number) ?? [])
    send.mutate(
      { rows: now, leaveOut: numbers, reason: reason.body },
      { onSuccess: () => show({ state: undefined }) },
    )
  }
  return (
    <>
      <Stack gap={0} flex={1} miw={0} mih={{ base: 480, sm: 0 }}>
        <FixIntro state={state} count={rows.length} total={total} />
        <OtherAmounts session={session} />
        {phase === "ready" ? (
          <ImportSheet session={session} label={labels[state].rows} fixed canExclude={state !== "planned"} />
        ) : (
          <SkeletonRows rows={Math.min(rows.length, 8)} columns={[64, 200, 120, 200]} />
        )}
        {/* Above the grid's own header, so that it stays visible on a phone, where the entire page scrolls. */}
        <Stack gap={8} px="gutter" py={10} pos="sticky" bottom={0} bg="var(--l-bg)" style={{ zIndex: 4 }}>
          {access.needsReason && (
            <Box maw={640}>
              <JobReason {...reason.field} />
            </Box>
          )}
          <ErrorNotice error={send.error} what={send.what} />
          <Group gap={8} justify="flex-end">
            <Button onClick={() => show()}>Cancel</Button>
            <Button
              variant="filled"
              loading={send.isPending}
              disabled={!ready || !access.write || reason.missing}
              onClick={() => void start()}
            >
              {state === "planned"
                ? unsentAction
                : sendLabel(phase === "ready" ? included : rows.length, {
                    leftOut,
                    isAllOut: leftOut > 0 && leftOut === counts.all,
                    again: isFailed,
                    isPaused: job.state === "paused",
                  })}
            </Button>
          </Group>
        </Stack>
      </Stack>
      {guard.dialog}
    </>
  )
}

function FixIntro({ state, count, total }: { state: OpenState; count: number; total: number }) {
  const { action, row, intro } = labels[state]
  return (
    <Stack gap={0} maw={640} px="var(--l-gutter)" pt={16}>
      <h2>
        {action} {counted(count, row)}
      </h2>
      <p className="text-secondary">
        {intro}
        {total > count && ` These are the first ${formatCount(count)} of ${formatCount(total)}.`}
      </p>
    </Stack>
  )
}

/** Opens the rows in the sheet, as they were when the person began. */
function useOpenedSheet(session: ImportSession, job: Job, state: OpenState, rows: readonly JobRow[]) {
  const { kind } = job
  const isLeftOut = state === "excluded"
  const source = useMemo(() => {
    const unsent = pauseText(job).title
    return fixSource(job, rows, {
      label: labels[state].status,
      of: (row) => (state !== "planned" ? outcomeLabel(row) : row.attempts === 0 ? "Not sent yet" : unsent),
    })
    // oxlint-disable-next-line react/exhaustive-deps -- the job changes while they are corrected
  }, [rows])
  const { open, change } = session
  const { phase } = session.state
  useEffect(() => {
    if (phase !== "empty") return
    void open(source)
    void change((sheet) => sheet.mark(isLeftOut ? leftOutChecks(kind, rows) : refusedPairs(rows)))
    if (isLeftOut) {
      void change((sheet) => sheet.setRepeats(otherAmounts(rows)))
      return
    }
    void change((sheet) => sheet.keepConfirmed())
  }, [phase, source, rows, open, change, isLeftOut, kind])
}

/** One choice for all rows for which another amount was awarded before; each has its own in the table. */
function OtherAmounts({ session: { change, state } }: { session: ImportSession }) {
  const { all, difference, as_well } = state.rowChoices
  if (all === 0) return null
  const choose = (label: string, choice: Correction | null, count: number) => (
    <Button
      size="xs"
      variant={count === all ? "filled" : "default"}
      aria-pressed={count === all}
      onClick={() => void change((sheet) => sheet.chooseFor("all", choice))}
    >
      {label}
    </Button>
  )
  return (
    <Box px="gutter" pt={12}>
      <Notice
        tone="warning"
        title={`${counted(all, "row")}: another amount was awarded before`}
        action={
          <Group gap={8}>
            {choose("Leave out", null, all - difference - as_well)}
            {choose("Award the difference", "difference", difference)}
            {choose("Award as well", "as_well", as_well)}
          </Group>
        }
      >
        Nothing is sent for {all === 1 ? "it" : "them"} until you choose, here for all or in each row. The
        difference needs a reference; an award of a smaller amount belongs in a new job.
      </Notice>
    </Box>
  )
}

/** "Send 5 rows again, leave 2 out". */
function sendLabel(
  count: number,
  how: { leftOut: number; isAllOut: boolean; again: boolean; isPaused: boolean },
): string {
  const { leftOut, isAllOut, again, isPaused } = how
  if (isAllOut) return `Leave ${counted(leftOut, "row")} out`
  const send = `Send ${counted(count, "row")}${again ? " again" : ""}${isPaused ? " when resumed" : ""}`
  return leftOut === 0 ? send : `${send}, leave ${formatCount(leftOut)} out`
}

interface FixedRow {
  readonly row: JobRow
  readonly isEdited: boolean
  readonly input: Readonly<Record<string, unknown>> | undefined
}

/** Sends corrected rows: failed ones again; unsent ones are saved, then the job is resumed. */
function useSend({ id, kind }: Job, state: OpenState, change: ImportSession["change"]) {
  const retry = useRetryJob(id)
  const edit = useEditRows(id)
  const control = useControlJob(id)
  const leaveOut = useLeaveOut(id)
  const send = useMutation({
    mutationFn: async (request: {
      rows: readonly FixedRow[]
      leaveOut: readonly number[]
      reason: { reason?: string }
    }) => {
      const { rows, reason } = request
      const sent = state !== "planned" ? rows : rows.filter(({ input }) => input !== undefined)
      const bodies = sent.map(({ row: { row }, input }) => ({ row, input }))
      try {
        if (state !== "planned") {
          if (bodies.length > 0) await retry.mutateAsync({ rows: bodies, ...reason })
          if (request.leaveOut.length > 0)
            await leaveOut.mutateAsync({ rows: [...request.leaveOut], ...reason })
          return
        }
        if (bodies.length > 0) await edit.mutateAsync({ rows: bodies, ...reason })
        await control.mutateAsync({ action: "resume", ...reason })
      } catch (error) {
        const { marks, named } = problemsAtCells(kind, error, sent)
        if (marks.length > 0) void change((sheet) => sheet.mark(marks))
        throw named
      }
    },
  })
  const unsaved = edit.isSuccess ? "The rows were saved." : "No row was saved."
  const nothing = retry.isSuccess
    ? "The rows were sent; none was left out."
    : `No row was sent${state === "failed" ? " again" : ""}.`
  const what = state === "planned" ? `${unsaved} The job is still paused.` : nothing
  return { ...send, what }
}

const namedProblems = 3

/** Server problems for the cells, and as an error that names row and column instead of the path. */
function problemsAtCells(kind: Job["kind"], error: unknown, sent: readonly FixedRow[]) {
  if (!(error instanceof ApiError)) return { marks: [], named: error }
  const messages: string[] = []
  const marks = problemsOf(error).flatMap(({ field: path, message }): Mark[] => {
    const [, at = "", rest = ""] = /^rows\.(\d+)\.input\.?(.*)/.exec(path) ?? []
    const row = at === "" ? undefined : sent[Number(at)]?.row
    if (row === undefined) {
      messages.push(message)
      return []
    }
    const { field, label } = columnFor(kind, rest)
    messages.push(`Row ${rowNumber(row)}, ${label}: ${message}`)
    return [{ number: rowNumber(row), field, severity: "problem", text: message }]
  })
  if (messages.length === 0) return { marks, named: error }
  const more = messages.length - namedProblems
  const shown = messages.slice(0, namedProblems)
  const message = [...shown, ...(more > 0 ? [`${formatCount(more)} more.`] : [])].join(" ")
  const { status, code, requestId, retryAfter, details } = error
  return { marks, named: new ApiError({ status, code, message, requestId, retryAfter, details }) }
}
