import { createFileRoute, stripSearchParams } from "@tanstack/react-router"
import { cardsQuery } from "../../api/gift-cards.ts"
import { sessionCan } from "../../api/session.ts"
import { CardsPage } from "../../features/giftcards/cards-page.tsx"
import { toCardPageQuery, cardsDefaults, cardsSearch } from "../../features/giftcards/card-search.ts"
import { defaultView } from "../../lists/list-params.ts"

export const Route = createFileRoute("/_app/cards")({
  validateSearch: cardsSearch,
  search: { middlewares: [stripSearchParams(cardsDefaults)] },
  beforeLoad: defaultView("cards"),
  loaderDeps: ({ search }) => search,
  loader: ({ context: { queryClient, session }, deps }) => {
    if (!sessionCan(session, "cards.read")) return
    void queryClient.prefetchQuery(cardsQuery(toCardPageQuery(deps, session.program.time_zone)))
  },
  component: CardsPage,
})
