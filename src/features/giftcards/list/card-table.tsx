import { useState } from "react"
import type { RegisteredCard } from "../../../../contract/cards.ts"
import { type ColumnChoice, useListLayout, useListTable } from "../../../lists/list-columns.ts"
import { ListTableView } from "../../../lists/list-table.tsx"
import { recipientOf } from "../card-parts.tsx"
import { cardColumns } from "./card-columns.tsx"
import { CardsEmpty } from "./cards-empty.tsx"
import type { CardList } from "./use-card-list.ts"

const idOf = (card: RegisteredCard) => card.id

/** The register as a table, in the order the server answers. */
export function CardTable({ list, choice }: { list: CardList; choice: ColumnChoice }) {
  const [scroller, setScroller] = useState<HTMLElement | null>(null)
  const layout = useListLayout()
  const table = useListTable({ columns: cardColumns, rows: list.rows, idOf, layout, choice })
  return (
    <ListTableView
      table={table}
      label="Gift cards"
      layout={layout}
      nameOf={recipientOf}
      waiting={list.waiting}
      scroller={scroller}
      onScroller={setScroller}
      raised={false}
      empty={list.page.data === undefined ? undefined : <CardsEmpty list={list} />}
    />
  )
}
