import { createFileRoute } from "@tanstack/react-router"
import { limits } from "../../../contract/limits.ts"
import { ErrorCodesPage } from "../../features/settings/errors/error-codes-page.tsx"
import { z } from "../../lib/z.ts"
import { textParam } from "../../list/list-params.ts"

export const Route = createFileRoute("/_desk/settings/errors")({
  validateSearch: z.object({ find: textParam(limits.shortText) }),
  component: ErrorCodesPage,
})
