import { useQuery, useQueryClient } from "@tanstack/react-query"
import { useEffect } from "react"
import { awardRow, deductRow } from "../../../../contract/job-rows.ts"
import { memberQuery } from "../../../api/members.ts"
import { rereadPoints } from "../../../api/points.ts"
import { JobLink } from "../../../forms/outcome/job-link.tsx"
import { RowNotice } from "../../../forms/outcome/row-notice.tsx"
import { useOneRow, type OneRow } from "../../../forms/outcome/use-one-row.ts"
import { fullName } from "../../../lib/names.ts"
import { ErrorNotice } from "../../../ui/error-notice.tsx"
import { SideDrawer } from "../../../ui/side-drawer.tsx"
import { SkeletonRows } from "../../../ui/query-state.tsx"
import type { PointsAct } from "../points-search.ts"
import { ConfirmedOutcome } from "./confirmed-outcome.tsx"
import { OneOutcomeFoot } from "./one-outcome-foot.tsx"
import type { OutcomeProps } from "./points-outcome.tsx"
import { effectWords, notDoneWords } from "./points-words.ts"
import { RowFacts } from "./row-facts.tsx"

interface OneOutcomeProps extends OutcomeProps {
  act: PointsAct
  title: string
}

/** The outcome for one member. Whatever state it is in is named as what it is. */
export function OneOutcome(props: OneOutcomeProps) {
  const { jobId, act, title, onClose } = props
  const { one, error, refetch } = useOneRow(jobId)
  const sent = sentOf(one, act)
  const name = useName(one)
  useReread(one)
  if (one === undefined || sent === undefined) {
    return (
      <SideDrawer title={title} onClose={onClose}>
        {error === null ? (
          <SkeletonRows rows={4} columns={[120, 240]} />
        ) : (
          <ErrorNotice error={error} what="Couldn’t load the outcome." onRetry={refetch} />
        )}
      </SideDrawer>
    )
  }
  const words = effectWords(act, sent.points, [name])
  return (
    <SideDrawer
      title={title}
      onClose={onClose}
      foot={<OneOutcomeFoot {...props} one={one} sent={sent} name={name} />}
    >
      {one.face === "confirmed" ? (
        <ConfirmedOutcome act={act} one={one} points={sent.points} name={name} />
      ) : (
        <RowNotice one={one} doing={words.running} notDone={notDoneWords[act]} lookup="in the ledger" />
      )}
      <RowFacts one={one} sent={sent} />
      {one.job.reversed_by.map((id) => (
        <p key={id} className="text-secondary">
          Reversed by <JobLink id={id} />.
        </p>
      ))}
    </SideDrawer>
  )
}

/** What was sent, as far as this person may see it. */
export type SentPoints = Partial<
  Record<"member_id" | "email" | "reason" | "reference", string | undefined>
> & {
  readonly points: number
  readonly metadata?: Readonly<Record<string, unknown>> | undefined
}

function sentOf(one: OneRow | undefined, act: PointsAct): SentPoints | undefined {
  if (one === undefined) return undefined
  const read = (act === "award" ? awardRow : deductRow).safeParse(one.row.input)
  return read.data ?? { points: Math.abs(one.job.points?.total ?? 0) }
}

function useName(one: OneRow | undefined): string {
  const id = one?.row.member?.id ?? undefined
  const { data } = useQuery({ ...memberQuery(id ?? "none"), enabled: id !== undefined })
  if (data !== undefined) return fullName(data.data)
  return one?.row.member?.label ?? id ?? "the member"
}

/** As soon as it is confirmed, whatever the page shows of the member is read again. */
function useReread(one: OneRow | undefined): void {
  const queryClient = useQueryClient()
  const changed = one?.face === "confirmed" ? (one.row.member?.id ?? undefined) : undefined
  useEffect(() => {
    if (changed !== undefined) rereadPoints(queryClient, [changed])
  }, [queryClient, changed])
}
