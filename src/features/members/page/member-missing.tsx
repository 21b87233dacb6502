import { Button } from "@mantine/core"
import "@mantine/core/styles/Button.layer.css"
import { IconUserOff } from "@tabler/icons-react"
import { Link } from "@tanstack/react-router"
import { EmptyState } from "../../../ui/empty-state.tsx"
import { usePageTitle } from "../../../ui/use-page-title.ts"

/** No member has this id. */
export function MemberMissing({ memberId }: { memberId: string }) {
  usePageTitle("No such member")
  return (
    <EmptyState
      icon={IconUserOff}
      title={`There is no member with the id ${memberId}`}
      help="It may have been deleted, or the link is mistyped. Search the list by name or e-mail instead."
      actions={<Button renderRoot={(props) => <Link {...props} to="/members" />}>Back to members</Button>}
    />
  )
}
