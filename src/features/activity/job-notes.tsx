import { Stack } from "@mantine/core"
import { IconPencil, IconPlayerPlay } from "@tabler/icons-react"
import { useQuery } from "@tanstack/react-query"
import { getRouteApi } from "@tanstack/react-router"
import { useEffect, useRef } from "react"
import {
  type CatalogueAction,
  type CatalogueEntry,
  explainCode,
  ownerSentences,
  templateNotFound,
} from "../../../contract/error-catalogue.ts"
import { jobKindDescriptors, type JobKind } from "../../../contract/job-kinds.ts"
import {
  isPauseCode,
  type Job,
  type JobPause,
  type PauseCode,
  pauseCodes,
  reversalState,
} from "../../../contract/job.ts"
import { jobQuery, type useControlJob, useJobAccess, useReleaseJob } from "../../api/jobs.ts"
import { JobLink } from "../../ui/record-link.tsx"
import { needsSubmissionNote } from "../../forms/job-submission.tsx"
import { withoutRepeats } from "../../lib/errors.ts"
import { asSentence, counted, formatCount } from "../../lib/format.ts"
import { catalogueStep, ErrorNotice, Notice } from "../../ui/notice.tsx"
import { initialFocus } from "../../ui/hooks.ts"
import { JobButton, useNextQuestion, useShow } from "./job-hooks.tsx"
import classes from "./job.module.css"
import { isTableView } from "./activity-search.ts"
import { Button } from "../../ui/button.tsx"

const route = getRouteApi("/_app/jobs_/$jobId")

interface JobNotesProps {
  job: Job
  control: ReturnType<typeof useControlJob>
}

/** Notes above the rows: why the job is stopped, what it waits for, which actions failed. */
export function JobNotes({ job, control }: JobNotesProps) {
  const { state, counts, hold, total } = job
  const open = counts.sent + counts.unknown
  const unsent = counted(counts.planned, "row")
  // An action's error is outdated once the job has changed state.
  const { reset } = control
  const previous = useRef(state)
  useEffect(() => {
    if (previous.current !== state) reset()
    previous.current = state
  }, [state, reset])
  return (
    <Stack gap="sm" className={`hide-empty ${classes.notes}`}>
      <ErrorNotice
        error={control.error}
        what={
          needsSubmissionNote(control.error)
            ? "The job goes on at the server as it was, unless this has arrived there."
            : "The job continues unchanged."
        }
      />
      {hold && <HoldNote job={job} hold={hold} />}
      {state === "paused" && <PauseNote job={job} control={control} />}
      {state === "cancelling" && (
        <Notice tone="info" title="The remaining rows are cancelled">
          {counted(open, "row")} already sent {open === 1 ? "is" : "are"} finished first. {unsent} will not be
          sent.
        </Notice>
      )}
      {state === "cancelled" && counts.planned > 0 && (
        <Notice tone="info" title={`${unsent} ${counts.planned === 1 ? "was" : "were"} not sent`}>
          The job was cancelled before they were sent. Confirmed rows stay.
        </Notice>
      )}
      {state === "draft" && (
        <Notice tone="info" title="This is a draft">
          {counted(total, "row")} {total === 1 ? "is" : "are"} here and nothing is sent before it is started,
          on the page where it was begun.
        </Notice>
      )}
      {job.not_in_ledger !== undefined && <MissingNote count={job.not_in_ledger} />}
      <ReversedNote job={job} />
      {job.waits_for?.map((reversal) => (
        <ReversalNote key={reversal.job} job={job} reversal={reversal} />
      ))}
      {job.refusal && <RefusalNote job={job} refusal={job.refusal} />}
      {job.attention > 0 && !waitsForFirst(job) && <DecisionsNote job={job} />}
    </Stack>
  )
}

function PauseNote({ job, control }: JobNotesProps) {
  const show = useShow()
  const { needsReason } = useJobAccess(job)
  const { open } = route.useSearch()
  const { tone, title, text, resume = "Resume", action } = pauseText(job)
  // The table has the resume button.
  if (open === "edit") return <Notice tone={tone} title={title} />
  return (
    <Notice
      tone={tone}
      title={title}
      detail={tone === "info" ? undefined : job.pause?.code}
      action={
        <>
          <JobButton
            job={job}
            needs="control"
            variant="filled"
            icon={IconPlayerPlay}
            {...(control.variables?.action === "pause" && initialFocus)}
            loading={control.isPending}
            onClick={() => (needsReason ? show({ open: "resume" }) : control.mutate({ action: "resume" }))}
          >
            {resume}
          </JobButton>
          {job.counts.planned > 0 && job.reverses === null && (
            <JobButton job={job} needs="write" icon={IconPencil} onClick={() => show({ open: "edit" })}>
              Edit {counted(job.counts.planned, "unsent row")}
            </JobButton>
          )}
          {catalogueStep(action)}
        </>
      }
    >
      {text}
    </Notice>
  )
}

/** Rows that replace awards being reversed by another job. */
function ReversalNote({ job, reversal }: { job: Job; reversal: NonNullable<Job["waits_for"]>[number] }) {
  const show = useShow()
  const { data: live } = useQuery(jobQuery(reversal.job))
  const { rows, reverses } = reversal
  const state = live?.state ?? reversal.state
  const done = formatCount(live?.counts.confirmed ?? reversal.done)
  const isPaused = state === "paused"
  const wait = rows === 1 ? "1 row waits" : `${formatCount(rows)} rows wait`
  return (
    <Notice
      tone={isPaused ? "warning" : "info"}
      title={`${reverses} is being reversed, ${done} of ${formatCount(reversal.total)}${isPaused ? ", paused" : ""}`}
      action={
        <>
          <JobLink id={reversal.job}>Open the reversal</JobLink>
          <JobButton job={job} needs="control" onClick={() => show({ open: "leave" })}>
            Leave {rows === 1 ? "this row" : `these ${formatCount(rows)} rows`} out
          </JobButton>
        </>
      }
    >
      {wait} for it: each is sent once its earlier award is reversed, and not at all where that fails.
      {isPaused && " The reversal is paused: resume it, or leave these rows out."}
    </Notice>
  )
}

/** The service reported success, but its ledger has no entry. */
function MissingNote({ count }: { count: number }) {
  const isOne = count === 1
  return (
    <Notice
      tone="warning"
      title={`${counted(count, "row")} that ${isOne ? "is" : "are"} done ${isOne ? "isn’t" : "aren’t"} in the ledger yet`}
    >
      The service confirmed {isOne ? "it" : "them"}, so nothing is sent again. Laurel checks a sample of each
      batch: other rows of this job may be missing too. This goes once the ledger shows{" "}
      {isOne ? "it" : "them"}; if it stays, ask the program’s support.
    </Notice>
  )
}

/** A remainder, such as awards confirmed later, can be reversed too. */
function ReversedNote({ job }: { job: Job }) {
  const show = useShow()
  const state = reversalState(job)
  if (state === undefined || state.isUnderWay || state.left === 0) return null
  const isOne = state.left === 1
  return (
    <Notice
      tone="info"
      title={`${counted(state.left, "award")} of ${formatCount(state.of)} ${isOne ? "wasn’t" : "weren’t"} reversed`}
      action={
        <JobButton job={job} needs="write" onClick={() => show({ open: "reverse" })}>
          Reverse the rest
        </JobButton>
      }
    >
      {isOne ? "It was" : "They were"} left out of the reversal, or the service refused{" "}
      {isOne ? "its" : "their"} deduction there.
    </Notice>
  )
}

/** Whether rows that were refused together wait for one of them to be sent first. */
function waitsForFirst({ refusal, attention, counts }: Job): boolean {
  return refusal != null && attention > 0 && counts.planned + counts.sent + counts.unknown === 0
}

/** An entire request was refused, so the outcome of its rows must be proven before any is sent again. */
function RefusalNote({ job, refusal }: { job: Job; refusal: NonNullable<Job["refusal"]> }) {
  const { row, open } = route.useSearch()
  const next = useNextQuestion(job.id)
  const isOffered = waitsForFirst(job)
  if (isOffered && (row !== undefined || isTableView(open))) return null
  return (
    <Notice
      tone="warning"
      title="The service refused several awards sent together"
      detail={refusal.code}
      action={
        isOffered && (
          <Button size="xs" loading={next.isPending} onClick={() => next.mutate(0)}>
            Choose the first award
          </Button>
        )
      }
    >
      <p>The service said: “{refusal.message}”</p>
      <p>
        {isOffered
          ? `${counted(job.attention, "award")} may have been made all the same, and nothing proves that the ledger is up to date. Send one first: when it goes through, Laurel checks the others against it and sends each that wasn’t made by itself.`
          : "Some of these awards may have been made all the same. Laurel sends another award alone, checks these in the ledger against it, and sends each that wasn’t made by itself."}
      </p>
    </Notice>
  )
}

function DecisionsNote({ job }: { job: Job }) {
  const { row, open } = route.useSearch()
  const next = useNextQuestion(job.id)
  const show = useShow()
  if (row !== undefined || isTableView(open)) return null
  const one = job.attention === 1
  return (
    <Notice
      tone="warning"
      title={`${counted(job.attention, "row")} ${one ? "needs" : "need"} a decision`}
      action={
        <>
          <Button size="xs" loading={next.isPending} onClick={() => next.mutate(0)}>
            Decide
          </Button>
          {!one && (
            <Button size="xs" onClick={() => show({ open: "decide" })}>
              Decide together
            </Button>
          )}
        </>
      }
    >
      Laurel got no clear answer for {one ? "it" : "them"}. Nothing more is sent for {one ? "it" : "them"}{" "}
      until someone decides.
    </Notice>
  )
}

const signs = {
  counter: "The restored data is older than what Laurel last worked with.",
  sample: "A row that the restored data lists as not sent was found at the service.",
  operator: "The server was started with START_HELD.",
}

function HoldNote({ job, hold }: { job: Job; hold: NonNullable<Job["hold"]> }) {
  const show = useShow()
  const { needsReason } = useJobAccess(job)
  const release = useReleaseJob(job.id)
  return (
    <Notice
      tone="warning"
      title="On hold after a restore"
      action={
        <>
          {hold.state === "ready" && (
            <JobButton
              job={job}
              needs="write"
              variant="filled"
              icon={IconPlayerPlay}
              loading={release.isPending}
              // The effect is described next to the button, so the dialog is needed only for a required reason.
              onClick={() => (needsReason ? show({ open: "release" }) : release.mutate({}))}
            >
              Continue job
            </JobButton>
          )}
          {hold.undecided + hold.looking > 0 && (
            <JobButton job={job} needs="write" onClick={() => show({ open: "unproven" })}>
              Continue without proof
            </JobButton>
          )}
        </>
      }
    >
      <p>
        {signs[hold.sign]} Nothing is sent until someone continues the job. Cancelling sends nothing more.
      </p>
      <p>
        Found at the service: {counted(hold.found, "row")}. Not found, sent when you continue:{" "}
        {counted(hold.to_send, "row")}.
        {hold.looking > 0 && ` Still being looked up: ${counted(hold.looking, "row")}.`}
        {hold.undecided > 0 && ` Not known: ${counted(hold.undecided, "row")}.`}
      </p>
      <ErrorNotice error={release.error} what="Nothing was sent." />
    </Notice>
  )
}

/** The note of a paused job, with the step before resuming. */
interface PauseText {
  readonly tone: "info" | "warning"
  readonly title: string
  readonly text: string
  /** Label of the resume button, if different. */
  readonly resume?: string
  readonly action?: CatalogueAction | undefined
}

const waiting = "Nothing else is sent until it’s resumed."

/** Text for each of Laurel's own reasons to pause. */
const pauseTexts: Readonly<Record<PauseCode, (pause: JobPause, kind: JobKind) => PauseText>> = {
  [pauseCodes.person]: ({ message }) => ({
    tone: "info",
    title: message || "Paused by a person",
    text: waiting,
  }),
  [pauseCodes.makerLeft]: ({ message }) => ({
    tone: "warning",
    title: message || "The person who started it has left",
    text: "Nothing more was sent. If you continue, the job becomes yours and the rest is sent.",
    resume: "Continue",
  }),
  [pauseCodes.notSentInTime]: ({ message }) => ({
    tone: "warning",
    title: "It couldn’t be sent within a minute",
    text: message,
    resume: "Send now",
  }),
  [pauseCodes.notPrepared]: ({ message }) => ({
    tone: "warning",
    title: "Laurel couldn’t prepare the next rows",
    text: message,
  }),
  [pauseCodes.notConnected]: ({ message }, kind) => {
    const isCard = jobKindDescriptors[kind].api === "giftcard"
    const prefix = isCard ? "GIFTCARD" : "PROGRAM"
    const next = `Set ${prefix}_BASE_URL and ${prefix}_API_KEY and restart Laurel, then resume.`
    return {
      tone: "warning",
      title: `The ${isCard ? "gift-card" : "program"} service is not connected`,
      text: `${asSentence(message)} ${waiting} ${ownerSentences["Laurel administrator"]} ${next}`,
    }
  },
  [pauseCodes.templateNotFound]: (pause) => catalogueText(templateNotFound, pause),
}

/** Why a job paused and what to do: Laurel's own reasons, a documented refusal, otherwise the service's message. */
export function pauseText({ pause, kind, counts }: Pick<Job, "pause" | "kind" | "counts">): PauseText {
  if (pause === null) return { tone: "info", title: "Paused", text: waiting }
  if (isPauseCode(pause.code)) return pauseTexts[pause.code](pause, kind)
  const entry = explainCode(kind, pause.code)
  if (entry !== undefined) return catalogueText(entry, pause, counts.unknown)
  return {
    tone: "warning",
    title: jobKindDescriptors[kind].labels.refused ?? "The service refused",
    text: `${asSentence(pause.message || pause.code)} ${waiting} Fix what it names, then resume.`,
  }
}

/** The service's own message says neither what was lost nor what to do. */
const fundEmpty = "INSUFFICIENT_FUND"

function catalogueText(
  { status, title, happened, next, whose, action }: CatalogueEntry,
  { code, message }: JobPause,
  unchecked = 0,
): PauseText {
  // "Nothing was changed" is true only of the refused read: these rows were sent before it.
  const reason =
    unchecked > 0 && (status === 401 || status === 403)
      ? `The service doesn’t show its records to Laurel’s key, so ${counted(unchecked, "row")} sent before can’t be checked. Nothing is sent again until they are.`
      : asSentence((code === fundEmpty ? "" : withoutRepeats(message, next)) || happened)
  const resume = next.includes("resume") ? "" : " Then resume."
  const isResume = action === "resume-job"
  return {
    tone: "warning",
    title,
    text: [reason, isResume ? "" : `${waiting} ${ownerSentences[whose]}`, `${next}${resume}`]
      .filter(Boolean)
      .join(" "),
    // Resuming is the note's own button.
    action: isResume ? undefined : action,
  }
}
