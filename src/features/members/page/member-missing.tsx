import { Button } from "@mantine/core"
import { IconUserOff } from "@tabler/icons-react"
import { Link } from "@tanstack/react-router"
import { EmptyState } from "../../../ui/query-state.tsx"
import { PageHeader } from "../../../ui/page-header.tsx"

/** No member has this id. */
export function MemberMissing({ memberId }: { memberId: string }) {
  return (
    <>
      <PageHeader title="Member not found" path={[{ label: "Members", to: "/members" }]} />
      <EmptyState
        icon={IconUserOff}
        title={`No member has the id ${memberId}`}
        help="It may have been deleted, or the link may be wrong. Search the list by name or e-mail instead."
        actions={<Button renderRoot={(props) => <Link {...props} to="/members" />}>Back to members</Button>}
      />
    </>
  )
}
