import { createFileRoute } from "@tanstack/react-router"
import { RunningJobs } from "../../features/activity/running-jobs.tsx"
import { HomePage } from "../../features/home/home-page.tsx"

export const Route = createFileRoute("/_app/")({
  component: () => <HomePage running={<RunningJobs />} />,
})
