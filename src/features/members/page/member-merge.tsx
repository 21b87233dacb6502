import { useQuery } from "@tanstack/react-query"
import { memberMergeQuery } from "../../../api/members.ts"
import { useCan } from "../../../api/session.ts"
import { counted } from "../../../lib/format.ts"
import { Notice } from "../../../ui/notice.tsx"
import { MemberLink, RowLink } from "../../../ui/record-link.tsx"

const steps = {
  deducting: (points: string) => `Merging: taking ${points}…`,
  awarding: (points: string) => `Half merged: ${points} taken, not awarded yet…`,
  deactivating: (points: string) => `Half merged: ${points} moved, deactivating this member…`,
}

/** How far the merge of a member is, with the next step; nothing without one. */
export function MemberMerge({ memberId }: { memberId: string }) {
  const { data: found } = useQuery({ ...memberMergeQuery(memberId), enabled: useCan("ledger.read") })
  if (!found) return null
  const points = counted(found.points, "point")
  const into = <MemberLink id={found.into} text="the other member" />
  if (found.step === "done")
    return (
      <Notice tone="info" title="Merged">
        The points are with {into}.
      </Notice>
    )
  const next = <RowLink of={found.next}>{found.step === "stopped" ? "Settle it" : "Show progress"}</RowLink>
  if (found.step !== "stopped")
    return (
      <Notice tone="info" title={steps[found.step](points)} action={next}>
        Into {into}. It continues if you leave.
      </Notice>
    )
  return (
    <Notice tone="warning" title={found.deducted ? "Half merged" : "Not merged"} action={next}>
      {found.message} {found.deducted && <>Into {into}.</>}
    </Notice>
  )
}
