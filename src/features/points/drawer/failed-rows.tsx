import { useQuery } from "@tanstack/react-query"
import { jobRowsQuery } from "../../../api/jobs.ts"
import { JobLink } from "../../../forms/outcome/job-link.tsx"
import { formatCount } from "../../../lib/format.ts"
import { Notice } from "../../../ui/notice.tsx"
import classes from "./points-outcome.module.css"

/** How many are named here; the rest stand on the job's page. */
const most = 5

/** For whom it definitely did not work, and why. */
export function FailedRows({ jobId, count, done }: { jobId: string; count: number; done: string }) {
  const { data } = useQuery(jobRowsQuery(jobId, { state: "failed", page: 1, per_page: most }))
  return (
    <Notice
      tone="danger"
      title={`${formatCount(count)} were not ${done}`}
      action={<JobLink id={jobId}>Correct and retry</JobLink>}
    >
      <ul className={classes.rows}>
        {data?.rows.map((row) => (
          <li key={row.row}>
            <span className="l-medium">{row.member?.label ?? row.member?.id ?? `Row ${row.row}`}</span>:{" "}
            {row.outcome?.message ?? "The service refused it."}
          </li>
        ))}
      </ul>
    </Notice>
  )
}
