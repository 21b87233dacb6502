import { Link } from "@tanstack/react-router"
import { JobLink, ReferenceHolderLink } from "../../../forms/job-link.tsx"
import { NextLookup, StatusNotice, type OneRow } from "../../../forms/job-outcome.tsx"
import { Notice } from "../../../ui/notice.tsx"
import { earlierCardOf } from "../card-parts.tsx"
import { notIssued } from "./issue-words.ts"
import { StoppedNote } from "./stopped-note.tsx"

interface CardNoticeProps {
  one: OneRow
  /** What is under way: "Issuing a $50.00 card to Ana Silva". */
  doing: string
}

/** How a card stands that is not confirmed. The service knows a repeat, so a row without an answer is sent again. */
export function CardNotice({ one, doing }: CardNoticeProps) {
  const { job, row, status } = one
  if (status === "stopped") return <StoppedNote job={job} />
  if (status === "unknown") {
    return (
      <Notice tone="warning" title="No usable response yet" action={<NextLookup row={row} />}>
        The same request is repeated until the service responds. Its key prevents a second card. You can
        leave: a notice and <JobLink id={job.id}>the job</JobLink> tell how it ended.
      </Notice>
    )
  }
  if (row.outcome?.code === "reference_taken") {
    return (
      <Notice
        tone="danger"
        title="This reference is already used"
        {...(row.taken_by && { action: <ReferenceHolderLink by={row.taken_by} /> })}
      >
        {row.outcome.message}
      </Notice>
    )
  }
  const earlier = earlierCardOf(row)
  if (earlier !== undefined) {
    return (
      <Notice
        tone="warning"
        title="This reference already has a card"
        action={
          <>
            <Link to="/cards/$cardId" params={{ cardId: earlier }} className="l-link">
              Open card {earlier}
            </Link>
            <JobLink id={job.id}>Decide</JobLink>
          </>
        }
      >
        The card’s template has a card with the same reference, which this request did not issue. {notIssued}{" "}
        Open that card, or use another reference.
      </Notice>
    )
  }
  return <StatusNotice kind="giftcard" one={one} doing={doing} />
}
