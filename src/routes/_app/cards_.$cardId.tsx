import { createFileRoute } from "@tanstack/react-router"
import { cardQuery } from "../../api/gift-cards.ts"
import { CardPage } from "../../features/giftcards/card-page.tsx"
import { cardSearch } from "../../features/giftcards/card-search.ts"

export const Route = createFileRoute("/_app/cards_/$cardId")({
  validateSearch: cardSearch,
  loader: ({ context: { queryClient }, params }) => {
    void queryClient.prefetchQuery(cardQuery(params.cardId))
  },
  component: CardPage,
})
