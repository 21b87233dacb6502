import { IconHelpCircle } from "@tabler/icons-react"
import type { JobPart } from "../../../api/jobs.ts"
import { jobTitle } from "../../../lib/job-title.ts"
import { counted } from "../../../lib/format.ts"
import type { OpenTodo } from "./todo.ts"

/**
 * "3 rows need a decision", or which jobs stand still until somebody goes on with them.
 * @param decides may decide; others are led there to look
 */
export function jobsTodo({ jobs, more }: JobPart, decides: boolean): OpenTodo | undefined {
  const [newest] = jobs
  if (newest === undefined) return undefined
  const rows = jobs.reduce((sum, { attention }) => sum + attention, 0)
  const paused = jobs.filter(({ attention }) => attention === 0).length
  const single = jobs.length === 1 && !more
  const parts = [
    rows > 0 ? `${counted(rows, "row", { more })} ${rows === 1 && !more ? "needs" : "need"} a decision` : "",
    paused > 0 ? `${counted(paused, "job", { more })} ${paused === 1 && !more ? "is" : "are"} paused` : "",
  ]
  return {
    icon: IconHelpCircle,
    tone: "warning",
    title: parts.filter(Boolean).join(", "),
    about: single
      ? `${jobTitle(newest)}, by ${newest.created_by.name}`
      : `In ${counted(jobs.length, "job", { more })}, the newest ${jobTitle(newest)}`,
    link: single
      ? { to: "/jobs/$jobId", params: { jobId: newest.id } }
      : { to: "/jobs", search: { state: "attention" } },
    label: decides ? "Decide" : "Open",
  }
}
