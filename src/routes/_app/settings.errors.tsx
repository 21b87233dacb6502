import { createFileRoute } from "@tanstack/react-router"
import { limits } from "../../../contract/limits.ts"
import { ErrorCodesPage } from "../../features/settings/error-codes-page.tsx"
import * as z from "zod/mini"
import { textParam } from "../../lists/list-params.ts"

export const Route = createFileRoute("/_app/settings/errors")({
  validateSearch: z.object({ find: textParam(limits.shortText) }),
  component: ErrorCodesPage,
})
