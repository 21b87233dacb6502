import { useQuery, useQueryClient } from "@tanstack/react-query"
import type { Member } from "../../../../contract/program/member.ts"
import { chosenMembersQuery } from "../../../api/members.ts"
import { balanceQuery } from "../../../api/points.ts"
import { fullName } from "../../../lib/names.ts"
import type { PointsAct } from "../points-search.ts"

/** A member the drawer is about, as far as they are known. */
export interface Recipient {
  readonly id: string
  /** The name, or the id until it is known. */
  readonly name: string
  readonly member: Member | undefined
  /** Points available; undefined while they are not known. */
  readonly balance: number | undefined
  readonly error: Error | null
}

/**
 * The members of the address. A list or a member's page has read them already, so nothing is asked for them. Before
 * a deduction from one member the balance is read at the service itself.
 */
export function useRecipients(act: PointsAct, ids: readonly string[]): readonly Recipient[] {
  const { data: chosen } = useQuery(chosenMembersQuery(useQueryClient(), ids))
  const single = ids.length === 1 ? ids[0] : undefined
  const fresh = act === "deduct"
  const first = chosen?.[0]?.answer
  const known = first?.data.points_balance
  const balance = useQuery({
    ...balanceQuery(single ?? "none", { fresh }),
    // An award needs no more than the record says; a record without a balance is asked about.
    enabled: single !== undefined && (fresh || (first !== undefined && typeof known !== "number")),
    ...(fresh ? { staleTime: 0 } : {}),
    refetchOnWindowFocus: false,
  })
  return ids.map((id, at) => {
    const { answer, error = null } = chosen?.[at] ?? {}
    const member = answer?.data
    const read = id === single ? balance.data?.data.balance : undefined
    return {
      id,
      name: member === undefined ? id : fullName(member),
      member,
      balance: read ?? member?.points_balance ?? undefined,
      error,
    }
  })
}
