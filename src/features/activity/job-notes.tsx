import { type useControlJob, useJobAccess, useReleaseJob } from "../../api/jobs.ts"
import { Button } from "@mantine/core"
import { IconPencil, IconPlayerPlay } from "@tabler/icons-react"
import { getRouteApi } from "@tanstack/react-router"
import { lazy, Suspense, useState } from "react"
import { type CatalogueAction, explainCode, ownerSentences } from "../../../contract/error-catalogue.ts"
import { type Job, pauseCodes } from "../../../contract/job.ts"
import { jobKindDescriptors } from "../../../contract/job-kinds.ts"
import { Allowed, useFirstQuestion } from "./job-access.tsx"
import { rowsText } from "./job-status.tsx"
import { CatalogueStep, ErrorNotice } from "../../ui/error-notice.tsx"
import { Notice } from "../../ui/notice.tsx"
import classes from "./job.module.css"

const route = getRouteApi("/_app/jobs_/$jobId")

/** What stands above the rows: why the job stands still, what it waits for, what could not be done. */
export function JobNotes({ job, control }: { job: Job; control: ReturnType<typeof useControlJob> }) {
  return (
    <div className={classes.notes}>
      {control.error !== null && <ErrorNotice error={control.error} what="The job continues unchanged." />}
      {job.hold !== undefined && job.hold !== null && <HoldNote job={job} hold={job.hold} />}
      {job.state === "paused" && <PauseNote job={job} control={control} />}
      {job.state === "cancelling" && (
        <Notice tone="info" title="The remaining rows are cancelled">
          {rowsText(job.counts.sent + job.counts.unknown)} already sent{" "}
          {job.counts.sent + job.counts.unknown === 1 ? "is" : "are"} finished first.{" "}
          {rowsText(job.counts.planned)} will not be sent.
        </Notice>
      )}
      {job.state === "cancelled" && job.counts.planned > 0 && (
        <Notice
          tone="info"
          title={`${rowsText(job.counts.planned)} ${job.counts.planned === 1 ? "was" : "were"} not sent`}
        >
          The job was cancelled before they were sent. Confirmed rows stay.
        </Notice>
      )}
      {job.state === "draft" && (
        <Notice tone="info" title="This is a draft">
          {rowsText(job.total)} {job.total === 1 ? "is" : "are"} here and nothing is sent before it is
          started, on the page where it was begun.
        </Notice>
      )}
      {job.attention > 0 && <Questions job={job} />}
    </div>
  )
}

function PauseNote({ job, control }: { job: Job; control: ReturnType<typeof useControlJob> }) {
  const navigate = route.useNavigate()
  const access = useJobAccess(job)
  const { tone, title, body, next, resume, action } = pauseWords(job)
  const { open } = route.useSearch()
  const show = (view: "resume" | "edit") => () =>
    void navigate({ search: (now) => ({ ...now, open: view, row: undefined }), resetScroll: false })
  // The table has the button that goes on.
  if (open === "edit") return <Notice tone={tone} title={title} />
  return (
    <Notice
      tone={tone}
      title={title}
      detail={job.pause === null || tone === "info" ? undefined : job.pause.code}
      action={
        <>
          <Allowed allowed={access.control} why={access.why}>
            <Button
              variant="filled"
              leftSection={<IconPlayerPlay size={16} stroke={1.75} aria-hidden />}
              loading={control.isPending}
              onClick={access.needsReason ? show("resume") : () => control.mutate({ action: "resume" })}
            >
              {resume}
            </Button>
          </Allowed>
          {job.counts.planned > 0 && job.reverses === null && (
            <Allowed allowed={access.write} why={access.why}>
              <Button leftSection={<IconPencil size={16} stroke={1.75} aria-hidden />} onClick={show("edit")}>
                Edit {rowsText(job.counts.planned, "unsent row")}
              </Button>
            </Allowed>
          )}
          <CatalogueStep action={action} />
        </>
      }
    >
      {`${body} ${next}`.trim()}
    </Notice>
  )
}

/** Opens the first row that only a person can settle, unless one is open already. */
function Questions({ job }: { job: Job }) {
  const { row, open } = route.useSearch()
  const first = useFirstQuestion(job.id)
  if (row !== undefined || open === "fix" || open === "edit") return null
  return (
    <Notice
      tone="warning"
      title={`${rowsText(job.attention)} ${job.attention === 1 ? "needs" : "need"} a decision`}
      action={
        <Button size="xs" loading={first.busy} onClick={first.open}>
          Decide
        </Button>
      }
    >
      {job.kind === "giftcard" ? "The service" : "The ledger"} does not say for certain whether{" "}
      {job.attention === 1 ? "it" : "they"} happened.
    </Notice>
  )
}

const ReleaseDialog = lazy(async () => ({ default: (await import("./control-dialogs.tsx")).ReleaseDialog }))

const signs = {
  counter: "The restored data is older than what Laurel last worked with.",
  sample: "A row that the restored data lists as not sent was found at the service.",
  operator: "The server was started with START_HELD.",
}

/** Why a job is held after a restore, what was found, and how it goes on. */
function HoldNote({ job, hold }: { job: Job; hold: NonNullable<Job["hold"]> }) {
  const access = useJobAccess(job)
  const release = useReleaseJob(job.id)
  const [asking, setAsking] = useState<"proven" | "unproven">()
  const open = hold.undecided + hold.looking
  return (
    <Notice
      tone="warning"
      title="On hold after a restore"
      action={
        <>
          {hold.state === "ready" && (
            <Allowed allowed={access.write} why={access.why}>
              <Button
                variant="filled"
                leftSection={<IconPlayerPlay size={16} stroke={1.75} aria-hidden />}
                loading={release.isPending}
                // What it does stands beside it, so nothing is asked but a reason where one is needed.
                onClick={() => (access.needsReason ? setAsking("proven") : release.mutate({}))}
              >
                Continue job
              </Button>
            </Allowed>
          )}
          {open > 0 && (
            <Allowed allowed={access.write} why={access.why}>
              <Button onClick={() => setAsking("unproven")}>Continue without proof</Button>
            </Allowed>
          )}
        </>
      }
    >
      <p>
        {signs[hold.sign]} Nothing is sent until someone continues the job. Cancelling sends nothing more.
      </p>
      <p>
        Found at the service: {rowsText(hold.found)}. Not found, sent when you continue:{" "}
        {rowsText(hold.to_send)}.{hold.looking > 0 && ` Still being looked up: ${rowsText(hold.looking)}.`}
        {hold.undecided > 0 && ` Not known: ${rowsText(hold.undecided)}.`}
      </p>
      {release.error !== null && <ErrorNotice error={release.error} what="Nothing was sent." />}
      {asking !== undefined && (
        <Suspense>
          <ReleaseDialog
            job={job}
            hold={hold}
            unproven={asking === "unproven"}
            onClose={() => setAsking(undefined)}
          />
        </Suspense>
      )}
    </Notice>
  )
}

/** Why a job stands still, for people. */
interface PauseWords {
  readonly tone: "warning" | "info"
  readonly title: string
  readonly body: string
  /** What to do, and whose job it is. */
  readonly next: string
  /** What the button that goes on says. */
  readonly resume: string
  /** The step that comes before going on. */
  readonly action?: CatalogueAction | undefined
}

/**
 * Why a job paused: the desk's own reasons, a documented refusal of the service with whose job it is (error catalogue),
 * else what the pause itself says.
 */
export function pauseWords({ pause, kind, counts }: Pick<Job, "pause" | "kind" | "counts">): PauseWords {
  const waiting = "Rows that weren’t sent stay planned."
  const giftcards = jobKindDescriptors[kind].api === "giftcard"
  const prefix = giftcards ? "GIFTCARD" : "PROGRAM"
  if (pause === null) return { tone: "info", title: "Paused", body: waiting, next: "", resume: "Resume" }
  const { code, message } = pause
  if (code === pauseCodes.person) {
    return { tone: "info", title: message || "Paused by a person", body: waiting, next: "", resume: "Resume" }
  }
  if (code === pauseCodes.notSentInTime) {
    return {
      tone: "warning",
      title: "It couldn’t be sent within a minute",
      body: "Nothing was sent, and nothing will be until you decide.",
      next: "Send now, or cancel it.",
      resume: "Send now",
    }
  }
  if (code === pauseCodes.notConnected) {
    return {
      tone: "warning",
      title: `The ${giftcards ? "gift-card" : "program"} service is not connected`,
      body: `${message} ${waiting}`.trim(),
      next: `${ownerSentences["Laurel administrator"]} Set ${prefix}_BASE_URL and ${prefix}_API_KEY and restart Laurel, then resume.`,
      resume: "Resume",
    }
  }
  const entry = explainCode(kind, code)
  const spent = counts.planned > 0 ? `${waiting} Only one request was used, not one per row.` : waiting
  if (entry === undefined) {
    return {
      tone: "warning",
      title: kind === "member-create" ? "The service refused to create members" : "The service refused",
      body: `${message || code} ${spent}`,
      next: "Fix what it names, then resume.",
      resume: "Resume",
    }
  }
  return {
    tone: "warning",
    title: entry.title,
    // The pause may carry what the catalogue says next, which stands below by itself.
    body: `${message === "" || message.includes(entry.happened) || message.includes(entry.next) ? entry.happened : message} ${spent}`,
    next: `${ownerSentences[entry.whose]} ${entry.next}${entry.next.includes("resume") ? "" : " Then resume."}`,
    resume: "Resume",
    // Going on is the note's own button.
    action: entry.action === "resume-job" ? undefined : entry.action,
  }
}
