import { IconCreditCard } from "@tabler/icons-react"
import { Link } from "@tanstack/react-router"
import { cardsQuery } from "../../api/gift-cards.ts"
import { useListQuery, useLocalListState } from "../../lists/list-state.ts"
import { ResourceList } from "../../lists/resource-list.tsx"
import { memberCardColumns } from "./card-columns.tsx"
import { LinkButton } from "../../ui/button.tsx"

/** The gift cards of one member that the register knows, newest first. */
export function MemberCards({ memberId }: { memberId: string }) {
  const state = useLocalListState()
  const query = { member: memberId, page: state.page, per_page: state.perPage }
  const page = useListQuery(() => cardsQuery(query), state)
  return (
    <ResourceList
      label="Gift cards"
      query={{ ...page, refresh: page.retry }}
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
      footer={{
        note: (
          <Link to="/cards" search={{ member: memberId }} className="l-link">
            View in the register
          </Link>
        ),
      }}
    />
  )
}
