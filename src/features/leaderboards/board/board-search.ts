import { z } from "../../../lib/z.ts"

/** How many places are read until somebody chooses. */
const usualLimit = 25

/** The board's state in the address. The service reads 10 places at least by itself and gives 100 at most. */
export const boardSearch = z.object({
  limit: z._default(z.catch(z.int().check(z.minimum(10), z.maximum(100)), usualLimit), usualLimit),
})

/** What is left out of the address. */
export const boardDefaults = { limit: usualLimit } as const
