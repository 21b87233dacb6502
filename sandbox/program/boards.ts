import type { MemberRecord } from "../store/records.ts"

/** Where a member stands: points awarded in the board's time, and how many awards. */
export interface Standing {
  readonly member: MemberRecord
  readonly points: number
  readonly awards: number
}

/** A leaderboard and how it names things. */
export interface Board {
  readonly id: string
  /** Days it looks back. */
  readonly days: number
  /** The board as the list shows it. */
  readonly listed: Record<string, unknown>
  row(standing: Standing, rank: number): unknown
}

const fullName = (member: MemberRecord): string => `${member.first_name} ${member.last_name}`

/**
 * The boards. The document shows no field of either resource, so each board has names of its own, and the last one
 * makes no sense at all.
 */
export const boards: readonly Board[] = [
  {
    id: "lb_q4sprint",
    days: 90,
    listed: { id: "lb_q4sprint", name: "Q4 Installer Sprint", status: "active" },
    row: ({ member, points, awards }, position) => ({
      position,
      member: { display_name: fullName(member), org: member.company },
      total_points: points,
      installs: awards,
    }),
  },
  {
    id: "lb_yearearners",
    days: 365,
    listed: { leaderboard_id: "lb_yearearners", title: "Top earners, 12 months", metric: "points" },
    row: ({ member, points }, rank) => ({ rank, member_id: member.id, name: fullName(member), points }),
  },
  {
    id: "lb_twoyears",
    days: 730,
    listed: { id: "lb_twoyears", label: "Since the program began", period: { type: "all_time" } },
    row: ({ member, points }, place) => ({
      place,
      memberId: member.id,
      memberName: fullName(member),
      score: String(points),
      company: member.company,
    }),
  },
  {
    id: "lb_month",
    days: 30,
    listed: { id: "lb_month", name: "This month", description: "Awards of the last 30 days" },
    row: ({ member, points, awards }, rank) => ({
      rank: `${rank}`,
      first_name: member.first_name,
      last_name: member.last_name,
      value: points,
      change: awards % 3 === 0 ? -1 : awards % 3,
      tier: member.tier,
    }),
  },
  {
    id: "lb_misc",
    days: 30,
    listed: { id: "lb_misc", kind: 7, tags: ["beta"] },
    row: ({ awards }, rank) => ({ a: rank % 2 === 0, b: [awards, null], c: { d: "–" } }),
  },
]
