import * as z from "zod/mini"
import { limits } from "../limits.ts"
import { isStorable } from "../program/text.ts"

/** A name as a service gave it: kept to the letter, spaces at its ends too. */
const given = (max: number) => z.string().check(z.minLength(1), z.maxLength(max), z.refine(isStorable))

/** The name of a field in a ranking: the names on the way to it, joined by dots (`member.display_name`). */
const field = given(400)

/**
 * Which fields of a board's rankings are what. The document shows none (docs/api/program.md, Leaderboards), so they
 * are recognised, and a person may say otherwise. null: the rankings have no such field.
 */
export const rankingRoles = z.strictObject({
  rank: z.nullable(field),
  /** Id of the member, for the link to the member's page. */
  member: z.nullable(field),
  /** One field, or the first and the last name; none when the rankings carry no name. */
  name: z.array(field).check(z.maxLength(2)),
  /** What stands below the name: a company, a team. */
  note: z.nullable(field),
  score: z.nullable(field),
})
/** Which fields of a board's rankings are what. */
export type RankingRoles = z.output<typeof rankingRoles>

/** What people said of boards, for everybody at the desk: one entry a board. */
export const leaderboardMappings = z.strictObject({
  boards: z.array(z.strictObject({ id: given(limits.shortText), roles: rankingRoles })).check(
    z.maxLength(200),
    z.refine(
      (all) => new Set(all.map(({ id }) => id)).size === all.length,
      "Each board can appear only once.",
    ),
  ),
})
/** What people said of boards. */
export type LeaderboardMappings = z.output<typeof leaderboardMappings>

/** Until somebody says something every field is recognised. */
export const noMappings: LeaderboardMappings = { boards: [] }
