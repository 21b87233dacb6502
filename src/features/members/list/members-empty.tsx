import { Button } from "@mantine/core"
import { IconSearchOff, IconUsers } from "@tabler/icons-react"
import { formatCount } from "../../../lib/format.ts"
import { EmptyState } from "../../../ui/query-state.tsx"
import { isFiltered } from "./members-search.ts"
import { NewMemberButton } from "./new-member-button.tsx"
import type { MemberList } from "./use-member-list.ts"

/** Where the rows would be: nothing matches, the page is past the end, or there is nobody yet. */
export function MembersEmpty({ list }: { list: MemberList }) {
  const { filter, total, search } = list
  if (total !== undefined && total > 0) {
    const pages = Math.ceil(total / search.per_page)
    return (
      <EmptyState
        icon={IconUsers}
        title={`Page ${formatCount(search.page)} is past the end`}
        help={pages === 1 ? "There is one page." : `There are ${formatCount(pages)} pages.`}
        actions={<Button onClick={() => list.set({ page: pages })}>Last page</Button>}
      />
    )
  }
  if (!isFiltered(filter)) {
    return (
      <EmptyState
        icon={IconUsers}
        title="There are no members yet"
        help="Create a member, or import a list."
        actions={<NewMemberButton />}
      />
    )
  }
  const others = filter.status !== undefined || filter.tier !== undefined
  return (
    <EmptyState
      icon={IconSearchOff}
      title={
        filter.search === undefined
          ? "No members match these filters"
          : `No members match “${filter.search}”${others ? " and these filters" : ""}`
      }
      help={
        filter.search === undefined
          ? "Enter the tier exactly as the service has it."
          : "Search covers names and e-mails, not companies, phones, ids or metadata."
      }
      actions={
        <>
          {filter.search !== undefined && others && (
            <Button onClick={() => list.setFilter({ status: undefined, tier: undefined })}>
              Search all members
            </Button>
          )}
          <Button onClick={() => list.setFilter({ search: undefined, status: undefined, tier: undefined })}>
            {others ? "Clear the filters" : "Clear the search"}
          </Button>
        </>
      }
    />
  )
}
