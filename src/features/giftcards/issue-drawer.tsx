import { useQuery } from "@tanstack/react-query"
import { useState } from "react"
import { cardPairsQuery, cardTemplatesQuery } from "../../api/gift-cards.ts"
import { memberQuery } from "../../api/members.ts"
import { useCan } from "../../api/session.ts"
import { ErrorNotice } from "../../ui/error-notice.tsx"
import { Notice } from "../../ui/notice.tsx"
import { SideDrawer } from "../../ui/side-drawer.tsx"
import { SkeletonRows } from "../../ui/query-state.tsx"
import { IssueForm } from "./issue/issue-form.tsx"
import type { IssueValues } from "./issue-model.ts"
import { IssueOutcome } from "./issue/issue-outcome.tsx"
import type { IssueAddress } from "./search.ts"
import { issueTitle } from "./issue/issue-words.ts"

/** Issues one gift card: the form, and the outcome in its place. */
export function IssueDrawer({ address }: { address: IssueAddress }) {
  const allowed = useCan("cards.issue")
  const [typed, setTyped] = useState<IssueValues>()
  if (!allowed) {
    return (
      <SideDrawer title={issueTitle} wide onClose={address.close}>
        <Notice tone="info" title="Issuing gift cards requires the Manager role">
          You can view gift cards but not issue them. Ask an administrator to change your role.
        </Notice>
      </SideDrawer>
    )
  }
  if (address.jobId !== undefined) {
    return (
      <IssueOutcome
        key={address.jobId}
        jobId={address.jobId}
        onCorrect={(values) => {
          setTyped(values)
          address.go({ for: undefined, issued: undefined })
        }}
        onAnother={() => {
          setTyped(undefined)
          address.go({ for: undefined, issued: undefined })
        }}
        onClose={address.close}
      />
    )
  }
  return <IssueParts address={address} typed={typed} />
}

/** The form, once templates, refused pairs and the member it is for are read. */
function IssueParts({ address, typed }: { address: IssueAddress; typed: IssueValues | undefined }) {
  const { memberId, close } = address
  const templates = useQuery(cardTemplatesQuery)
  const pairs = useQuery(cardPairsQuery)
  const member = useQuery({ ...memberQuery(memberId ?? "none"), enabled: memberId !== undefined })
  const waits = memberId !== undefined && member.isPending
  if (templates.data !== undefined && pairs.data !== undefined && !waits) {
    return (
      <IssueForm
        key={memberId ?? "anybody"}
        address={address}
        member={memberId === undefined ? undefined : member.data?.data}
        memberError={memberId === undefined ? null : member.error}
        settings={templates.data}
        pairs={pairs.data}
        typed={typed}
      />
    )
  }
  const error = templates.error ?? pairs.error
  return (
    <SideDrawer title={issueTitle} wide onClose={close}>
      {error === null ? (
        <SkeletonRows rows={6} columns={[240, 200]} />
      ) : (
        <ErrorNotice
          error={error}
          what="Couldn’t load the card templates."
          onRetry={() => {
            void templates.refetch()
            void pairs.refetch()
          }}
        />
      )}
    </SideDrawer>
  )
}
