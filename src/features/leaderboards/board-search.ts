import * as z from "zod/mini"
import { limits } from "../../../contract/limits.ts"

/** Values left out of the URL. */
export const boardDefaults = { limit: 25, view: "places" } as const

/** The board's search params. */
export const boardSearch = z.lazy(() => {
  const limit = z.int().check(z.minimum(1), z.maximum(limits.rankings.max))
  const view = z.enum(["places", "history"])
  return z.object({
    limit: z._default(z.catch(limit, boardDefaults.limit), boardDefaults.limit),
    view: z._default(z.catch(view, boardDefaults.view), boardDefaults.view),
  })
})
