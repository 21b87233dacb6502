import { IconCreditCard } from "@tabler/icons-react"
import { Link } from "@tanstack/react-router"
import type { RegisteredCard } from "../../../contract/cards.ts"
import { cardsQuery } from "../../api/gift-cards.ts"
import { useListQuery, useLocalListState } from "../../lists/list-state.ts"
import { ResourceList } from "../../lists/resource-list.tsx"
import { memberCardColumns, recipientLabel } from "./card-columns.tsx"
import { LinkButton } from "../../ui/button.tsx"

const idOf = ({ id }: RegisteredCard) => id

/** The gift cards of one member that the register knows, newest first. */
export function MemberCards({ memberId }: { memberId: string }) {
  const state = useLocalListState()
  const query = { member: memberId, page: state.page, per_page: state.perPage }
  const page = useListQuery(() => cardsQuery(query), state)
  return (
    <ResourceList
      label="Gift cards"
      noun="gift cards"
      source={{ ...page, complete: false, refresh: page.retry }}
      state={state}
      idOf={idOf}
      nameOf={recipientLabel}
      columns={memberCardColumns}
      empty={{
        icon: IconCreditCard,
        title: "No gift cards for this member",
        help: "The service can’t list a member’s cards. To add a card issued elsewhere, look it up by id or reference.",
        actions: (
          <LinkButton to="/cards" search={{ open: "look-up" }}>
            Look up a card
          </LinkButton>
        ),
      }}
      footerNote={
        <Link to="/cards" search={{ member: memberId }} className="l-link">
          View in the register
        </Link>
      }
    />
  )
}
