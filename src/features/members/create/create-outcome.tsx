import { Button } from "@mantine/core"
import { useQuery, useQueryClient } from "@tanstack/react-query"
import { Link } from "@tanstack/react-router"
import { useEffect } from "react"
import { memberQuery, membersKey } from "../../../api/members.ts"
import { JobLink } from "../../../forms/job-link.tsx"
import { OutcomeFacts, StatusNotice } from "../../../forms/job-outcome.tsx"
import { useOneRow, type OneRow } from "../../../forms/one-row.ts"
import { markChanged } from "../../../lib/external-value.ts"
import { fullName } from "../../../lib/names.ts"
import { CopyText } from "../../../ui/values.tsx"
import { ErrorNotice } from "../../../ui/error-notice.tsx"
import { Outcome, SideDrawer } from "../../../ui/side-drawer.tsx"
import { SkeletonRows } from "../../../ui/query-state.tsx"
import { Status } from "../../../ui/status.tsx"
import classes from "../edit/outcome.module.css"
import { valuesOfBody, type CreateValues } from "./create-model.ts"

interface CreateOutcomeProps {
  jobId: string
  onAgain: () => void
  /** Back to the form as it was sent. */
  onCorrect: (values: CreateValues) => void
  onClose: () => void
}

/** How the creation stands, in the drawer it was sent from. The list behind reads itself again. */
export function CreateOutcome({ jobId, onAgain, onCorrect, onClose }: CreateOutcomeProps) {
  const { one, error, refetch } = useOneRow(jobId)
  const memberId = memberOf(one)
  useReread(one?.status === "confirmed" ? memberId : undefined)
  const { data } = useQuery({ ...memberQuery(memberId ?? "none"), enabled: one?.status === "confirmed" })
  if (one === undefined) {
    return (
      <SideDrawer title="New member" wide onClose={onClose}>
        {error === null ? (
          <SkeletonRows rows={4} columns={[120, 240]} />
        ) : (
          <ErrorNotice error={error} what="Couldn’t load the outcome." onRetry={refetch} />
        )}
      </SideDrawer>
    )
  }
  const sent = valuesOfBody(one.row.input)
  const name = fullName(sent)
  const confirmed = one.status === "confirmed"
  return (
    <SideDrawer
      title="New member"
      wide
      onClose={onClose}
      foot={
        <div className={classes.buttons}>
          <Button size="md" onClick={confirmed ? onAgain : onClose}>
            {confirmed ? "Create another" : "Close"}
          </Button>
          {(one.status === "failed" || one.status === "cancelled") && (
            <Button size="md" variant="filled" onClick={() => onCorrect(sent)}>
              Correct and resend
            </Button>
          )}
          {confirmed && memberId !== undefined && (
            <Button
              size="md"
              variant="filled"
              data-autofocus
              renderRoot={(props) => <Link {...props} to="/members/$memberId" params={{ memberId }} />}
            >
              Open {name}
            </Button>
          )}
        </div>
      }
    >
      {confirmed ? (
        <Outcome word="Created">{name} is a member now</Outcome>
      ) : (
        <StatusNotice kind="member-create" one={one} doing={`Creating ${name}`} />
      )}
      <OutcomeFacts
        facts={[
          { label: "E-mail", value: sent.email },
          { label: "Status", value: confirmed && <Status of="member" value={data?.data.status} /> },
          { label: "Member id", value: confirmed && memberId && <CopyText text={memberId} mono /> },
          {
            label: "Member with this e-mail",
            value: !confirmed && memberId !== undefined && (
              <Link className="l-link" to="/members/$memberId" params={{ memberId }}>
                Open that member
              </Link>
            ),
          },
          { label: "Job", value: <JobLink id={one.job.id}>{one.job.id}, 1 row</JobLink> },
        ]}
      />
    </SideDrawer>
  )
}

/** The member it made, or the one who has the e-mail already. */
function memberOf(one: OneRow | undefined): string | undefined {
  return one?.row.upstream_id ?? one?.row.member?.id ?? undefined
}

/** As soon as somebody is a member, the lists are read again and point the row out. */
function useReread(memberId: string | undefined): void {
  const queryClient = useQueryClient()
  useEffect(() => {
    if (memberId === undefined) return
    markChanged(memberId)
    void queryClient.invalidateQueries({ queryKey: membersKey })
  }, [queryClient, memberId])
}
