import { Link } from "@tanstack/react-router"
import type { RegisteredCard } from "../../../../contract/cards.ts"
import type { ListColumn } from "../../../lists/list-columns.ts"
import links from "../../../lists/list-table.module.css"
import { cardColumns } from "../list/card-columns.tsx"
import { referenceOf } from "../show/card-words.ts"
import { TemplateName } from "../show/template-name.tsx"
import classes from "./member-cards.module.css"

/** A member's cards: the template leads, for whom they are is known. */
export const memberCardColumns: readonly ListColumn<RegisteredCard>[] = [
  {
    id: "template",
    label: "Card",
    touch: "phone",
    value: ({ template, id }) => template ?? id,
    cell: (card, layout) => (
      <span className={classes.lines}>
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
