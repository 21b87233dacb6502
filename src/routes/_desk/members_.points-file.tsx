import { createFileRoute } from "@tanstack/react-router"
import { PointsFilePage } from "../../features/points/file/points-file-page.tsx"
import { fileSearch } from "../../features/points/file/file-search.ts"

export const Route = createFileRoute("/_desk/members_/points-file")({
  validateSearch: fileSearch,
  component: PointsFilePage,
})
