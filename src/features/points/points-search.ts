import * as z from "zod/mini"

/** What can be done with points in the drawer. */
export const pointsActs = ["award", "deduct"] as const
export type PointsAct = (typeof pointsActs)[number]

/**
 * The part of every address of the app that opens a drawer above its page: `act` is what is done, `for` names whom it is
 * for (one id or several; redeeming takes one), `reward_id` what is redeemed, `outcome` the job whose outcome is shown.
 * So the drawer has a link on every page, and Back closes it.
 */
export const actSearch = z.object({
  act: z.catch(z.optional(z.enum([...pointsActs, "redeem"])), undefined),
  for: z.catch(z.optional(z.union([z.string(), z.array(z.string())])), undefined),
  reward_id: z.catch(z.optional(z.string()), undefined),
  outcome: z.catch(z.optional(z.string()), undefined),
})
export type ActSearch = z.output<typeof actSearch>
