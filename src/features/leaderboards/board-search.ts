import { limits } from "../../../contract/limits.ts"
import * as z from "zod/mini"

/** Default number of places. */
const usualLimit = 25

/** Limits on the number of places in one response (docs/api/program.md, Leaderboards). */
export const placesLimit = { min: 1, max: limits.rankings.max } as const

const places = z.int().check(z.minimum(placesLimit.min), z.maximum(placesLimit.max))

/** The board's search params. */
export const boardSearch = z.lazy(() =>
  z.object({
    limit: z._default(z.catch(places, usualLimit), usualLimit),
    view: z._default(z.catch(z.enum(["places", "history"]), "places"), "places"),
  }),
)

/** Values left out of the URL. */
export const boardDefaults = { limit: usualLimit, view: "places" } as const
