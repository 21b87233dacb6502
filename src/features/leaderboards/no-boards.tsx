import { IconLock } from "@tabler/icons-react"
import { ListPage } from "../../lists/list-page.tsx"
import { EmptyState } from "../../ui/query-state.tsx"
import { PageHeader } from "../../ui/page-header.tsx"

/** In place of the boards, for a role that does not see them. */
export function NoBoards() {
  return (
    <ListPage>
      <PageHeader title="Leaderboards" />
      <EmptyState
        icon={IconLock}
        title="Your role can’t view leaderboards"
        help="Ask an administrator to change your role."
      />
    </ListPage>
  )
}
