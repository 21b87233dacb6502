import { createFileRoute } from "@tanstack/react-router"
import * as z from "zod/mini"
import { PointsFilePage } from "../../features/points/file/points-file-page.tsx"
import { pointsActs } from "../../features/points/points-search.ts"
import { recipientsParams } from "../../lists/list-params.ts"

/** What is done, and to whom if not to the rows of a file. */
const fileSearch = z.object({
  kind: z._default(z.catch(z.enum(pointsActs), "award"), "award"),
  ...recipientsParams,
})

export const Route = createFileRoute("/_app/members_/points-file")({
  validateSearch: fileSearch,
  component: PointsFilePage,
})
