import { useQuery, useQueryClient } from "@tanstack/react-query"
import { useEffect } from "react"
import { giftcardRow } from "../../../../contract/job-rows.ts"
import { cardQuery } from "../../../api/gift-cards.ts"
import { membersKey } from "../../../api/members.ts"
import { useSession } from "../../../api/session.ts"
import { useOneRow, OutcomeFooter } from "../../../forms/job-outcome.tsx"
import { ErrorNotice } from "../../../ui/error-notice.tsx"
import { SideDrawer } from "../../../ui/side-drawer.tsx"
import { SkeletonRows } from "../../../ui/query-state.tsx"
import { CardNotice } from "./card-notice.tsx"
import { IssueFacts } from "./issue-facts.tsx"
import { IssuedCard } from "./issued-card.tsx"
import { valuesOf, type IssueValues } from "../issue-model.ts"
import { issueTitle, issueWords } from "./issue-words.ts"

interface IssueOutcomeProps {
  jobId: string
  /** Back to the form as it was sent. */
  onCorrect: (values: IssueValues) => void
  onAnother: () => void
  onClose: () => void
}

/** How often the register is asked for a card that was issued a moment ago and is not in it yet, in ms. */
const lookEvery = 2000

/** How a card stands, in the drawer it was sent from. It never shows a redeem link: nothing of the desk has one. */
export function IssueOutcome({ jobId, onCorrect, onAnother, onClose }: IssueOutcomeProps) {
  const { currency } = useSession().program
  const { one, error, refetch } = useOneRow(jobId)
  const sent = one === undefined ? undefined : giftcardRow.safeParse(one.row.input).data
  const cardId = one?.status === "confirmed" ? one.row.upstream_id : null
  const card = useQuery({
    ...cardQuery(cardId ?? "none"),
    enabled: cardId !== null,
    refetchInterval: ({ state }) => (state.data === undefined ? lookEvery : false),
  })
  const created = card.data?.data.member.created === true
  useRereadMembers(created)
  if (one === undefined || sent === undefined) {
    return (
      <SideDrawer title={issueTitle} wide onClose={onClose}>
        {one !== undefined ? (
          <ErrorNotice
            error={new Error("This is a different kind of job.")}
            what="This link is for a job that doesn’t issue a gift card."
          />
        ) : error === null ? (
          <SkeletonRows rows={4} columns={[120, 240]} />
        ) : (
          <ErrorNotice error={error} what="Couldn’t load the outcome." onRetry={refetch} />
        )}
      </SideDrawer>
    )
  }
  const name = `${sent.member.firstname} ${sent.member.lastname}`
  return (
    <SideDrawer
      title={issueTitle}
      wide
      onClose={onClose}
      foot={
        <OutcomeFooter
          status={one.status}
          view={{
            onCorrect: () => onCorrect(valuesOf(sent)),
            another: { label: "Issue another", onClick: onAnother },
          }}
          onClose={onClose}
        />
      }
    >
      {one.status === "confirmed" ? (
        <IssuedCard one={one} sent={sent} name={name} card={card.data?.data} />
      ) : (
        <CardNotice one={one} doing={issueWords(sent.denomination, name, currency).running} />
      )}
      <IssueFacts one={one} sent={sent} card={card.data?.data} />
    </SideDrawer>
  )
}

/** A card may have made a member: lists that are open show it. */
function useRereadMembers(created: boolean): void {
  const queryClient = useQueryClient()
  useEffect(() => {
    if (created) void queryClient.invalidateQueries({ queryKey: membersKey })
  }, [queryClient, created])
}
