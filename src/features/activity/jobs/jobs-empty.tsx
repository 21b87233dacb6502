import { Button } from "@mantine/core"
import { IconActivity, IconCircleCheck } from "@tabler/icons-react"
import { Link } from "@tanstack/react-router"
import { useCan } from "../../../api/session.ts"
import { EmptyState } from "../../../ui/query-state.tsx"
import type { JobsSearch } from "./jobs-search.ts"

interface NoJobsProps {
  state: JobsSearch["state"]
  onClear: (() => void) | undefined
}

/** Why there is nothing in the list, and what to do next. */
export function NoJobs({ state, onClear }: NoJobsProps) {
  const mayAward = useCan("points.write")
  const clear = onClear && <Button onClick={onClear}>Clear the filters</Button>
  if (state === "attention") {
    return (
      <EmptyState
        icon={IconCircleCheck}
        title="Nothing needs attention"
        help="Jobs that can’t continue on their own, or have rows waiting for a decision, appear here."
        actions={clear}
      />
    )
  }
  if (onClear !== undefined) {
    return <EmptyState icon={IconActivity} title="No jobs match these filters" actions={clear} />
  }
  return (
    <EmptyState
      icon={IconActivity}
      title="No jobs yet"
      help={
        mayAward
          ? "Select members and award points, or award from a file. Each becomes a job here, with the outcome of every row."
          : "Awards, deductions and other changes made in Laurel appear here, with the outcome of every row."
      }
      actions={
        mayAward && <Button renderRoot={(props) => <Link to="/members" {...props} />}>Choose members</Button>
      }
    />
  )
}
