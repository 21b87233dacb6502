import { Group, Stack } from "@mantine/core"
import { useQuery } from "@tanstack/react-query"
import { Link } from "@tanstack/react-router"
import type { Job } from "../../../contract/job.ts"
import { jobsQuery } from "../../api/jobs.ts"
import { formatCount } from "../../lib/format.ts"
import { jobTitle } from "../../lib/job-title.ts"
import { duration } from "../../lib/time.ts"
import { Section } from "../../ui/page-header.tsx"
import { activityText, jobStatus, ProgressBar, RowsDone } from "./job-status.tsx"

const shown = 3

/** Progress of running jobs, for the home page. Empty when none is running. */
export function RunningJobs() {
  const { data } = useQuery(jobsQuery({ state: "active" }))
  const jobs = data?.rows ?? []
  if (jobs.length === 0) return null
  return (
    <Section
      title="Running"
      end={
        <Link to="/jobs" search={{ state: "active" }} className="l-link">
          {jobs.length > shown ? `All ${formatCount(jobs.length)}` : "Open"}
        </Link>
      }
    >
      <Stack component="ul" gap="md">
        {jobs.slice(0, shown).map((job) => (
          <Stack component="li" key={job.id} gap={6} miw={0}>
            <Group justify="space-between" gap={12} wrap="nowrap">
              <Link
                to="/jobs/$jobId"
                params={{ jobId: job.id }}
                className="l-medium truncate hover-underline"
              >
                {jobTitle(job)}
              </Link>
              <RowsDone job={job} />
            </Group>
            <ProgressBar job={job} />
            <span className="caption l-num">{paceText(job)}</span>
          </Stack>
        ))}
      </Stack>
    </Section>
  )
}

/** "48 a minute, 3 min 55 s left", as far as known. */
function paceText(job: Job): string {
  const now = activityText(job)
  if (now !== undefined) return now
  if (job.state !== "running" || job.pace?.per_minute == null) return jobStatus(job).status.word
  const left = job.pace.ms_left === null ? [] : [`${duration(job.pace.ms_left)} left`]
  return [`${formatCount(Math.round(job.pace.per_minute))} a minute`, ...left].join(", ")
}
