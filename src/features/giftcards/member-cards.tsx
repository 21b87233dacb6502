import { Button } from "@mantine/core"
import { IconCreditCard } from "@tabler/icons-react"
import { useQuery } from "@tanstack/react-query"
import { Link } from "@tanstack/react-router"
import { useState } from "react"
import type { RegisteredCard } from "../../../contract/cards.ts"
import { limits } from "../../../contract/limits.ts"
import { cardsQuery } from "../../api/gift-cards.ts"
import { recipientOf, referenceOf, TemplateName } from "./card-parts.tsx"
import { cardColumns } from "./list/card-columns.tsx"
import { formatCount } from "../../lib/format.ts"
import { type ListColumn, useLate, useListLayout, useListTable } from "../../lists/list-columns.ts"
import { ListFoot, ListNotes } from "../../lists/list-page.tsx"
import { ListTableView } from "../../lists/list-table.tsx"
import { ErrorNotice } from "../../ui/error-notice.tsx"
import { AsOf, EmptyState } from "../../ui/query-state.tsx"
import classes from "./gift-cards.module.css"
import links from "../../lists/list-table.module.css"

const idOf = (card: RegisteredCard) => card.id
const none: readonly RegisteredCard[] = []
const everyColumn = {}

/** The gift cards of one member that the register knows, newest first. */
export function MemberCards({ memberId }: { memberId: string }) {
  const page = useQuery(cardsQuery({ member: memberId, per_page: limits.perPage.max }))
  const [scroller, setScroller] = useState<HTMLElement | null>(null)
  const layout = useListLayout()
  const rows = page.data?.data ?? none
  const table = useListTable({ columns: memberCardColumns, rows, idOf, layout, choice: everyColumn })
  const late = useLate(page.isPending)
  const total = page.data?.meta?.total ?? rows.length
  return (
    <>
      <ListNotes>
        {page.error !== null && (
          <ErrorNotice
            error={page.error}
            what="Couldn’t load the gift cards."
            onRetry={() => void page.refetch()}
          />
        )}
      </ListNotes>
      <ListTableView
        table={table}
        label="Gift cards"
        layout={layout}
        nameOf={recipientOf}
        waiting={late ? "late" : page.isPending ? "yes" : "no"}
        scroller={scroller}
        onScroller={setScroller}
        raised={false}
        empty={page.data === undefined ? undefined : <NoCards />}
      />
      {rows.length > 0 && (
        <ListFoot
          count={
            <>
              <b>{formatCount(rows.length)}</b> of {formatCount(total)}
            </>
          }
          asOf={
            <AsOf at={page.data?.at} refreshing={page.isFetching} onRefresh={() => void page.refetch()} />
          }
        >
          <Link to="/cards" search={{ member: memberId }} className="l-link">
            View in the register
          </Link>
        </ListFoot>
      )}
    </>
  )
}

function NoCards() {
  return (
    <EmptyState
      icon={IconCreditCard}
      title="No gift cards for this member"
      help="The service can’t list a member’s cards. To add a card issued elsewhere, look it up by id or reference."
      actions={
        <Button renderRoot={(props) => <Link {...props} to="/cards" search={{ open: "look-up" }} />}>
          Look up a card
        </Button>
      }
    />
  )
}

/** A member's cards: the template leads, for whom they are is known. */
export const memberCardColumns: readonly ListColumn<RegisteredCard>[] = [
  {
    id: "template",
    label: "Card",
    touch: "phone",
    value: ({ template, id }) => template ?? id,
    cell: (card, layout) => (
      <span className={classes.memberCardsLines}>
        <Link
          to="/cards/$cardId"
          params={{ cardId: card.id }}
          data-row-link
          className={`${links.link} truncate`}
        >
          {card.template === null ? card.id : <TemplateName id={card.template} />}
        </Link>
        {layout !== "wide" && (
          <span className="l-meta text-muted truncate">{referenceOf(card) ?? card.id}</span>
        )}
      </span>
    ),
  },
  ...["issued", "amount", "status", "reference", "expires"].flatMap((id) =>
    cardColumns.filter((column) => column.id === id),
  ),
]
