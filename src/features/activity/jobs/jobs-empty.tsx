import { Button } from "@mantine/core"
import "@mantine/core/styles/Button.layer.css"
import "@mantine/core/styles/Loader.layer.css"
import { IconActivity, IconCircleCheck } from "@tabler/icons-react"
import { Link } from "@tanstack/react-router"
import { useCan } from "../../../api/permissions.ts"
import { EmptyState } from "../../../ui/empty-state.tsx"
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
        title="Nothing needs you"
        help="A job that cannot go on by itself, or has a row only a person can settle, appears here."
        actions={clear}
      />
    )
  }
  if (onClear !== undefined) {
    return <EmptyState icon={IconActivity} title="No job matches these filters" actions={clear} />
  }
  return (
    <EmptyState
      icon={IconActivity}
      title="No job has run yet"
      help={
        mayAward
          ? "Choose members and award them points, or award from a file: each becomes a job here, with every row's outcome."
          : "What the people of this desk award, deduct and create appears here, with every row's outcome."
      }
      actions={
        mayAward && <Button renderRoot={(props) => <Link to="/members" {...props} />}>Choose members</Button>
      }
    />
  )
}
