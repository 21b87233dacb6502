import { type Job, pauseCodes } from "../../../../contract/job.ts"
import { rowsText } from "../jobs/job-words.ts"

/** What can be done to the course of a job. */
export type ControlAction = "pause" | "resume" | "cancel"

/** A question about the course of a job. */
interface ControlWords {
  readonly title: string
  /** What is finished, what is not sent. */
  readonly body: string
  readonly action: string
  /** The button that changes nothing. */
  readonly keep?: string
  /** Whether the job's state allows it. */
  readonly possible: boolean
}

/** Asks about pausing, resuming or cancelling a job, with what becomes of its rows. */
export function controlWords(job: Pick<Job, "state" | "counts" | "pause" | "total">, action: ControlAction) {
  return { pause: pauseQuestion, resume: resumeQuestion, cancel: cancelQuestion }[action](job)
}

type Asked = Parameters<typeof controlWords>[0]

function pauseQuestion({ state, counts }: Asked): ControlWords {
  return {
    title: "Pause this job",
    body: `${underWay(counts)}${rowsText(counts.planned)} ${counts.planned === 1 ? "waits" : "wait"} until it is resumed.`,
    action: "Pause",
    possible: state === "running",
  }
}

function resumeQuestion({ state, counts, pause }: Asked): ControlWords {
  const now = pause?.code === pauseCodes.notSentInTime
  return {
    title: now ? "Send this now?" : "Resume this job",
    body: `${rowsText(counts.planned)} will be sent.`,
    action: now ? "Send now" : "Resume",
    possible: state === "paused",
  }
}

function cancelQuestion({ state, counts, total }: Asked): ControlWords {
  if (state === "draft") {
    return {
      title: "Discard draft",
      body: `None of its ${rowsText(total)} was sent, and none will be.`,
      action: "Discard draft",
      keep: "Keep draft",
      possible: true,
    }
  }
  const stays =
    counts.confirmed > 0
      ? ` ${rowsText(counts.confirmed)} confirmed already ${counts.confirmed === 1 ? "stays" : "stay"}.`
      : ""
  return {
    title: "Cancel remaining",
    body: `${rowsText(counts.planned)} will not be sent. ${underWay(counts)}${stays.trim()}`.trim(),
    action: `Cancel ${rowsText(counts.planned)}`,
    keep: state === "paused" ? "Keep the job" : "Keep running",
    possible: state === "running" || state === "paused",
  }
}

function underWay({ sent, unknown }: Asked["counts"]): string {
  const open = sent + unknown
  if (open === 0) return ""
  return `${rowsText(open)} sent already will be finished or looked up. `
}
