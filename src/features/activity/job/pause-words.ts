import { pauseCodes, type Job } from "../../../../contract/desk/job.ts"
import { atlas } from "../../../../contract/errors/atlas.ts"
import type { Mender } from "../../../../contract/errors/entry.ts"

/** Why a job stands still, for people. */
export interface PauseWords {
  readonly tone: "warning" | "info"
  readonly title: string
  readonly body: string
  /** What to do, and whose job it is. */
  readonly next: string
  /** What the button that goes on says. */
  readonly resume: string
}

const menders: Readonly<Record<Mender, string>> = {
  person: "Anybody at the desk can mend this.",
  "desk administrator": "This is for an administrator of this desk.",
  "program administrator": "This is for an administrator of the program service.",
  service: "This is for the service to mend.",
  nobody: "Nobody has to mend this.",
}

/**
 * Why a job paused: the desk's own reasons, a documented refusal of the service with whose job it is (error atlas),
 * else what the pause itself says.
 */
export function pauseWords({ pause, kind, counts }: Pick<Job, "pause" | "kind" | "counts">): PauseWords {
  const waiting = "Rows that were not sent stay planned."
  if (pause === null) return { tone: "info", title: "Paused", body: waiting, next: "", resume: "Resume" }
  const { code, message } = pause
  if (code === pauseCodes.person) {
    return { tone: "info", title: message || "Paused by a person", body: waiting, next: "", resume: "Resume" }
  }
  if (code === pauseCodes.notSentInTime) {
    return {
      tone: "warning",
      title: "It could not be sent within a minute",
      body: "Nothing was sent, and nothing will be by itself.",
      next: "Send it now, or cancel it.",
      resume: "Send now",
    }
  }
  if (code === pauseCodes.notConnected) {
    return {
      tone: "warning",
      title: "The program service is not connected",
      body: `${message} ${waiting}`.trim(),
      next: `${menders["desk administrator"]} Set PROGRAM_BASE_URL and PROGRAM_API_KEY and start the desk again, then resume.`,
      resume: "Resume",
    }
  }
  const own = atlas.filter((entry) => entry.api === "program" && entry.systemic)
  const entry =
    own.find((each) => each.code === code) ?? own.find((each) => code.includes(String(each.status)))
  const spent = counts.planned > 0 ? `${waiting} One request was spent, not one for each row.` : waiting
  if (entry === undefined) {
    return {
      tone: "warning",
      title: kind === "member-create" ? "The service refused to create members" : "The service refused",
      body: `${message || code} ${spent}`,
      next: "Mend what it names, then resume.",
      resume: "Resume",
    }
  }
  return {
    tone: "warning",
    title: entry.title,
    // The pause may carry what the atlas says next, which stands below by itself.
    body: `${message === "" || message.includes(entry.happened) ? entry.happened : message} ${spent}`,
    next: `${menders[entry.whose]} ${entry.next} Then resume.`,
    resume: "Resume",
  }
}
