import { useQuery, useQueryClient } from "@tanstack/react-query"
import { useEffect, useRef, useState } from "react"
import { type Job, pauseCodes } from "../../contract/job.ts"
import { whileEventsCome } from "../api/events.ts"
import { jobQuery, jobsQuery } from "../api/jobs.ts"
import { useSession } from "../api/session.ts"
import { appRoot } from "../lib/app-root.ts"
import { externalValue, keepChoice, readChoice } from "../lib/external-value.ts"
import { formatCount } from "../lib/format.ts"
import { jobTitle } from "../lib/job-title.ts"

type BrowserNotices = "on" | "off" | "blocked" | "impossible"

const key = "laurel-job-notices"

/** What this browser does. */
export const browserNotices = externalValue<BrowserNotices>(stateNow(readChoice(key, ["on", "off"], "off")))

/** Turns the browser's own notices on or off; asks for the permission only here, after a click. */
export async function setBrowserNotices(on: boolean): Promise<void> {
  if (on && "Notification" in globalThis && Notification.permission === "default") {
    await Notification.requestPermission()
  }
  keepChoice(key, on ? "on" : "off")
  browserNotices.set(stateNow(on ? "on" : "off"))
}

function tellBrowser({ key: tag, job, news, title }: Told): void {
  if (browserNotices.get() !== "on" || document.visibilityState === "visible") return
  const notice = new Notification(title, { body: newsWords(job, news), tag })
  notice.addEventListener("click", () => {
    globalThis.focus()
    globalThis.location.assign(`${appRoot}jobs/${encodeURIComponent(job.id)}`)
  })
}

function stateNow(choice: "on" | "off"): BrowserNotices {
  if (!("Notification" in globalThis)) return "impossible"
  if (Notification.permission === "denied") return "blocked"
  return choice === "on" && Notification.permission === "granted" ? "on" : "off"
}

/** Puts words before the window's title for as long as there are some; a page that changes its title keeps them. */
export function useTitleNotice(words: string | undefined): void {
  useEffect(() => {
    if (words === undefined) return undefined
    const prefix = `${words} · `
    const put = () => {
      if (!document.title.startsWith(prefix)) document.title = prefix + document.title
    }
    put()
    const head = document.querySelector("title")
    const observer = new MutationObserver(put)
    if (head !== null) observer.observe(head, { childList: true, characterData: true, subtree: true })
    return () => {
      observer.disconnect()
      if (document.title.startsWith(prefix)) document.title = document.title.slice(prefix.length)
    }
  }, [words])
}

/** Something worth telling about a job. */
export interface Told {
  readonly key: string
  readonly job: Job
  readonly news: JobNews
  readonly title: string
}

/** Follows my jobs that are under way; one that no longer is, is read once more for how it ended. */
export function useJobNews() {
  const me = useSession().user.id
  const client = useQueryClient()
  const { data } = useQuery(jobsQuery({ state: "active" }))
  const known = useRef(new Map<string, Job>())
  const [news, setNews] = useState<readonly Told[]>([])

  useEffect(() => {
    if (data === undefined) return
    const tell = (before: Job, job: Job) => {
      const found = newsOf(before, job)
      if (found === undefined) return
      const told = { key: `${job.id} ${found} ${job.attention}`, job, news: found, title: jobTitle(job) }
      setNews((all) => [...all.filter(({ key }) => key !== told.key), told].slice(-3))
      tellBrowser(told)
    }
    const mine = data.rows.filter((job) => job.created_by.id === me)
    const ids = new Set(mine.map(({ id }) => id))
    for (const [id, before] of known.current) {
      if (ids.has(id)) continue
      known.current.delete(id)
      const ended = client.fetchQuery({ ...jobQuery(id), staleTime: whileEventsCome(0) })
      // Not readable now: the list of jobs says it when somebody looks.
      void ended.then((job) => tell(before, job)).catch(() => undefined)
    }
    for (const job of mine) {
      const before = known.current.get(job.id)
      if (before !== undefined) tell(before, job)
      known.current.set(job.id, job)
    }
  }, [data, me, client])

  return { news, drop: (key: string) => setNews((all) => all.filter((told) => told.key !== key)) }
}

type Seen = Pick<Job, "id" | "state" | "attention" | "pause" | "counts" | "total">

/** How much of the jobs is done together, in whole percent; undefined before anything was read. */
export function progressOf(jobs: readonly Seen[]): number | undefined {
  const total = jobs.reduce((sum, job) => sum + job.total, 0)
  if (total === 0) return undefined
  const open = jobs.reduce((sum, { counts }) => sum + counts.planned + counts.sent + counts.unknown, 0)
  // A job that is not done never reads 100 %.
  return Math.min(Math.floor(((total - open) / total) * 100), open > 0 ? 99 : 100)
}

/** What about a job is worth telling the person who made it. */
export type JobNews = "done" | "asks" | "paused"

/** What is worth notifying: its end (not of one row), a row only a person can decide, a pause by nobody. */
export function newsOf(before: Seen, now: Seen): JobNews | undefined {
  if (now.attention > before.attention) return "asks"
  if (now.state === "paused" && before.state !== "paused") {
    return now.pause?.code === pauseCodes.person ? undefined : "paused"
  }
  const ended = now.state === "done" && before.state !== "done"
  return ended && now.total > 1 ? "done" : undefined
}

/** What happened, for a notice and for the browser's own. */
export function newsWords({ counts, total, attention, pause }: Seen, news: JobNews): string {
  switch (news) {
    case "asks":
      return `${rows(attention)} ${attention === 1 ? "needs" : "need"} a decision.`
    case "paused":
      return pause?.message ?? "The job is paused"
    default:
      return counts.failed > 0
        ? `Done: ${formatCount(counts.confirmed)} of ${rows(total)} confirmed, ${formatCount(counts.failed)} failed.`
        : `Done: ${formatCount(counts.confirmed)} of ${rows(total)} confirmed.`
  }
}

function rows(count: number): string {
  return `${formatCount(count)} ${count === 1 ? "row" : "rows"}`
}
