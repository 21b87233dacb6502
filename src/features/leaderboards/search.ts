import { limits } from "../../../contract/limits.ts"
import * as z from "zod/mini"

/** How many places are read until somebody chooses. */
const usualLimit = 25

/** How many places one answer may hold (docs/api/program.md, Leaderboards). */
export const placesLimit = { min: 1, max: limits.rankings.max } as const

const places = z.int().check(z.minimum(placesLimit.min), z.maximum(placesLimit.max))

/** The board's state in the address. */
export const boardSearch = z.lazy(() =>
  z.object({
    limit: z._default(z.catch(places, usualLimit), usualLimit),
    view: z._default(z.catch(z.enum(["places", "history"]), "places"), "places"),
  }),
)

/** What is left out of the address. */
export const boardDefaults = { limit: usualLimit, view: "places" } as const
