import * as z from "zod/mini"
import { pointsActs } from "../points-search.ts"

/** What the file is for, in the address. */
export const fileSearch = z.object({ kind: z._default(z.catch(z.enum(pointsActs), "award"), "award") })
