import * as z from "zod/mini"

/** What can be done with points in the drawer. */
export const pointsActs = ["award", "deduct"] as const
export type PointsAct = (typeof pointsActs)[number]

/**
 * The drawer's part of every address of the app: `act` opens it, `for` names whom it is for (one id or several),
 * `outcome` is the job whose outcome it shows. So it has a link on every page, and Back closes it.
 */
export const pointsSearch = z.object({
  act: z.catch(z.optional(z.enum(pointsActs)), undefined),
  for: z.catch(z.optional(z.union([z.string(), z.array(z.string())])), undefined),
  outcome: z.catch(z.optional(z.string()), undefined),
})
export type PointsSearch = z.output<typeof pointsSearch>
