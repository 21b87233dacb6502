import { useQuery, useQueryClient } from "@tanstack/react-query"
import { getRouteApi } from "@tanstack/react-router"
import { cardsKey, cardsQuery } from "../../../api/gift-cards.ts"
import { useSession } from "../../../api/session.ts"
import { useLate } from "../../../lists/list-columns.ts"
import { type CardFilterChange, cardFilterOf, cardPageOf, type CardsSearch } from "../search.ts"

const route = getRouteApi("/_desk/cards")

/** What the register shows and how it got there. All of its state but the answers is in the address. */
export function useCardList() {
  const client = useQueryClient()
  const search = route.useSearch()
  const navigate = route.useNavigate()
  const { program } = useSession()
  const page = useQuery(cardsQuery(cardPageOf(search, program.time_zone)))
  const late = useLate(page.isPending)
  const waiting = page.isPending || page.isPlaceholderData
  return {
    search,
    page,
    rows: page.data?.data ?? none,
    total: page.data?.meta?.total,
    /** The filters in use, as the server knows them. */
    filter: cardFilterOf(search, program.time_zone),
    waiting: late ? "late" : waiting ? "yes" : "no",
    setFilter: (change: CardFilterChange & Partial<Pick<CardsSearch, "sort">>, replace = false) =>
      void navigate({ search: (before) => ({ ...before, ...change, page: 1 }), replace }),
    set: (change: Partial<Pick<CardsSearch, "page" | "per_page" | "sort">>) =>
      void navigate({ search: (before) => ({ ...before, ...change }) }),
    /** Opens a dialog above the list. */
    show: (open: NonNullable<CardsSearch["open"]>) =>
      void navigate({ search: (before) => ({ ...before, open }), resetScroll: false }),
    /** Closes the dialog above the list. */
    close: () =>
      void navigate({
        search: (before) => ({ ...before, open: undefined, find: undefined, in: undefined, card: undefined }),
        resetScroll: false,
      }),
    refresh: () => void client.invalidateQueries({ queryKey: cardsKey }),
  } as const
}

const none: readonly never[] = []

/** The register, as its hook gives it. */
export type CardList = ReturnType<typeof useCardList>
