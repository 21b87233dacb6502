import { createFileRoute } from "@tanstack/react-router"
import { RunningJobs } from "../../features/activity/running-jobs.tsx"
import { takeFirstHome } from "../../features/home/home-data.ts"
import { HomePage } from "../../features/home/home-page.tsx"

export const Route = createFileRoute("/_app/")({
  loader: ({ context: { queryClient, session } }) => takeFirstHome(queryClient, session),
  component: () => <HomePage running={<RunningJobs />} />,
})
