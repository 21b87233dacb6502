import { createFileRoute, stripSearchParams } from "@tanstack/react-router"
import { ErrorCodesPage } from "../../features/settings/errors/error-codes-page.tsx"
import { z } from "../../lib/z.ts"

export const Route = createFileRoute("/_desk/settings/errors")({
  validateSearch: z.object({ find: z.catch(z._default(z.coerce.string(), ""), "") }),
  search: { middlewares: [stripSearchParams({ find: "" })] },
  component: ErrorCodesPage,
})
