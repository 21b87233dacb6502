import { Button } from "@mantine/core"
import { IconCreditCard, IconSearchOff } from "@tabler/icons-react"
import { formatCount } from "../../../lib/format.ts"
import { EmptyState } from "../../../ui/query-state.tsx"
import { isFiltered, noCardFilter } from "../search.ts"
import type { CardList } from "./use-card-list.ts"

/** Where the cards would be: nothing matches, the page is past the end, or there are none yet. */
export function CardsEmpty({ list }: { list: CardList }) {
  const { search, total } = list
  const lookUp = <Button onClick={() => list.show("look-up")}>Look up a card</Button>
  if (total !== undefined && total > 0) {
    const pages = Math.ceil(total / search.per_page)
    return (
      <EmptyState
        icon={IconCreditCard}
        title={`Page ${formatCount(search.page)} is past the end`}
        help={pages === 1 ? "There is one page." : `There are ${formatCount(pages)} pages.`}
        actions={<Button onClick={() => list.set({ page: pages })}>Last page</Button>}
      />
    )
  }
  if (!isFiltered(search)) {
    return (
      <EmptyState
        icon={IconCreditCard}
        title="No gift cards issued yet"
        help="Cards issued here are added automatically. To add a card issued elsewhere, look it up."
        actions={lookUp}
      />
    )
  }
  return (
    <EmptyState
      icon={IconSearchOff}
      title="No cards match these filters"
      help="Search covers recipient name and e-mail, card id, reference and member id. A card issued elsewhere may not be in the register: look it up."
      actions={
        <>
          <Button onClick={() => list.setFilter({ ...noCardFilter, sort: "newest" })}>
            Clear the filters
          </Button>
          {lookUp}
        </>
      }
    />
  )
}
