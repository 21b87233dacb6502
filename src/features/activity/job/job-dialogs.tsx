import { getRouteApi } from "@tanstack/react-router"
import { lazy, Suspense } from "react"
import type { Job } from "../../../../contract/job.ts"

const ControlDialog = lazy(async () => ({ default: (await import("./control-dialog.tsx")).ControlDialog }))
const ReverseDialog = lazy(async () => ({
  default: (await import("../reverse/reverse-dialog.tsx")).ReverseDialog,
}))
const ResultsDialog = lazy(async () => ({
  default: (await import("../results/results-dialog.tsx")).ResultsDialog,
}))

const route = getRouteApi("/_desk/jobs_/$jobId")

/** The dialog that the address names; Back closes it. */
export function JobDialogs({ job }: { job: Job }) {
  const { open } = route.useSearch()
  const navigate = route.useNavigate()
  if (open === undefined || open === "fix" || open === "edit") return null
  const close = () => void navigate({ search: (now) => ({ ...now, open: undefined }), resetScroll: false })
  return (
    <Suspense>
      {open === "reverse" ? (
        <ReverseDialog job={job} onClose={close} />
      ) : open === "results" ? (
        <ResultsDialog job={job} onClose={close} />
      ) : (
        <ControlDialog job={job} action={open} onClose={close} />
      )}
    </Suspense>
  )
}
