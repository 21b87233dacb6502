import { type Job, pauseCodes } from "../../../../contract/job.ts"
import {
  apiOf,
  type AtlasAction,
  explainCode,
  menderSentences,
} from "../../../../contract/error-catalogue.ts"

/** Why a job stands still, for people. */
export interface PauseWords {
  readonly tone: "warning" | "info"
  readonly title: string
  readonly body: string
  /** What to do, and whose job it is. */
  readonly next: string
  /** What the button that goes on says. */
  readonly resume: string
  /** The step that comes before going on. */
  readonly action?: AtlasAction | undefined
}

/**
 * Why a job paused: the desk's own reasons, a documented refusal of the service with whose job it is (error atlas),
 * else what the pause itself says.
 */
export function pauseWords({ pause, kind, counts }: Pick<Job, "pause" | "kind" | "counts">): PauseWords {
  const waiting = "Rows that weren’t sent stay planned."
  const giftcards = apiOf(kind) === "giftcard"
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
      next: `${menderSentences["Laurel administrator"]} Set ${prefix}_BASE_URL and ${prefix}_API_KEY and restart Laurel, then resume.`,
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
    // The pause may carry what the atlas says next, which stands below by itself.
    body: `${message === "" || message.includes(entry.happened) || message.includes(entry.next) ? entry.happened : message} ${spent}`,
    next: `${menderSentences[entry.whose]} ${entry.next}${entry.next.includes("resume") ? "" : " Then resume."}`,
    resume: "Resume",
    // Going on is the note's own button.
    action: entry.action === "resume-job" ? undefined : entry.action,
  }
}
