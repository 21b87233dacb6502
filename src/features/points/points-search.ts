import * as z from "zod/mini"

/** Actions of the points drawer. */
export const pointsActs = ["award", "deduct"] as const
export type PointsAct = (typeof pointsActs)[number]

/**
 * Search params that open a drawer above any page: `act` is the action, `for` the members (one id or several;
 * redeeming takes one), `reward_id` the reward to redeem, `outcome` the job whose outcome is shown. So the drawer can
 * be linked from every page, and Back closes it.
 */
export const actSearch = z.object({
  act: z.catch(z.optional(z.enum([...pointsActs, "redeem"])), undefined),
  for: z.catch(z.optional(z.union([z.string(), z.array(z.string())])), undefined),
  reward_id: z.catch(z.optional(z.string()), undefined),
  outcome: z.catch(z.optional(z.string()), undefined),
})
export type ActSearch = z.output<typeof actSearch>
