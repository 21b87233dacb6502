import { useQuery, useQueryClient } from "@tanstack/react-query"
import { useEffect, useRef, useState } from "react"
import type { Job } from "../../../contract/job.ts"
import { jobQuery, jobsQuery } from "../../api/jobs.ts"
import { useSession } from "../../api/session.ts"
import { jobTitle } from "../../lib/job-title.ts"
import { tellBrowser } from "./browser-notice.ts"
import { newsOf, newsWords, type JobNews } from "./job-changes.ts"

/** Something worth telling about a job. */
export interface Told {
  readonly key: string
  readonly job: Job
  readonly news: JobNews
  /** What the job is called. */
  readonly title: string
}

/**
 * Follows my jobs that are under way. One that is no longer among them has come to an end: it is read once more for
 * how it ended.
 */
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
      const title = jobTitle(job)
      const told = { key: `${job.id} ${found} ${job.attention}`, job, news: found, title }
      setNews((all) => [...all.filter(({ key }) => key !== told.key), told].slice(-3))
      tellBrowser({
        title,
        body: newsWords(job, found),
        tag: told.key,
        address: `/jobs/${encodeURIComponent(job.id)}`,
      })
    }
    const mine = data.jobs.filter((job) => job.created_by.id === me)
    const ids = new Set(mine.map(({ id }) => id))
    for (const [id, before] of known.current) {
      if (ids.has(id)) continue
      known.current.delete(id)
      const ended = client.fetchQuery({ ...jobQuery(id), staleTime: 0 })
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
