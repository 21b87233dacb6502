import { keepPreviousData, queryOptions, useMutation, useQueryClient } from "@tanstack/react-query"
import {
  type AdoptCardBody,
  cardCosts,
  cardFacets,
  cardFund,
  type CardListQuery,
  cardPairs,
  cardTemplates,
  type CardTemplates,
  referenceCheck,
  type ReferenceCheck,
  type ReferenceCheckBody,
  type RefusedPair,
  registeredCard,
  type RegisteredCard,
  revealedCard,
  type RevealedCard,
} from "../../contract/cards.ts"
import { type Card, cardReader } from "../../contract/giftcard/card.ts"
import { registerTopic } from "./events.ts"
import { type Answer, apiPath, request, requestData } from "./request.ts"
import { settingQuery, useChangeSetting, useSaveSetting } from "./settings.ts"
import * as z from "zod/mini"

/** Everything the cache holds of the register starts with this key. */
export const cardsKey = ["cards"] as const

registerTopic("cards", cardsKey)

/** A list of register entries, as the server sends it. */
export const registeredCards = z.array(registeredCard)

/**
 * One page of the register of gift cards. It is the desk's own: no request of the shared budget. While another page is
 * read the one before stays, marked as placeholder.
 */
export function cardsQuery(query: CardListQuery) {
  return queryOptions({
    queryKey: [...cardsKey, "page", query],
    queryFn: ({ signal }): Promise<Answer<RegisteredCard[]>> =>
      request({ path: apiPath("cards"), query: { ...query }, schema: registeredCards, signal }),
    placeholderData: keepPreviousData,
    retryOnMount: false,
  })
}

/** One card of the register; ApiError 404 for a card that is not in it. */
export function cardQuery(id: string) {
  return queryOptions({
    queryKey: [...cardsKey, "one", id],
    queryFn: ({ signal }): Promise<Answer<RegisteredCard>> =>
      request({ path: apiPath("cards", id), schema: registeredCard, signal }),
  })
}

/** What the register holds, for filters. */
export const cardFacetsQuery = queryOptions({
  queryKey: [...cardsKey, "facets"],
  queryFn: ({ signal }) => requestData({ path: apiPath("cards", "facets"), schema: cardFacets, signal }),
})

/** The fund as entered, and what live cards issued here drew from it since. */
export const cardFundQuery = queryOptions({
  queryKey: [...cardsKey, "fund"],
  queryFn: ({ signal }) => requestData({ path: apiPath("cards", "fund"), schema: cardFund, signal }),
})

/**
 * A card as the gift-card service has it now, by its id or its reference; a reference that several templates have needs
 * `template` (docs/api/giftcard.md, Look up a card). One request of the shared budget.
 */
export function foundCardQuery(idOrReference: string, template: string | undefined) {
  return queryOptions({
    queryKey: ["card-look-up", idOrReference, template],
    queryFn: ({ signal }): Promise<Answer<Card>> =>
      request({
        path: apiPath("giftcard", "cards", idOrReference),
        query: { cardId: template },
        schema: cardReader.tolerant,
        signal,
        fresh: true,
      }),
    retry: false,
    retryOnMount: false,
    // Somebody asked for it: it is not asked again because a window came back.
    refetchOnWindowFocus: false,
  })
}

/**
 * Whether references can be used for cards, in the order they are given. The service is asked about a single one only,
 * and only where `askService` says so: one request of the shared budget.
 */
export async function checkReferences(
  references: ReferenceCheckBody["references"],
  askService: boolean,
  signal?: AbortSignal,
): Promise<ReferenceCheck[]> {
  const body = { references, ...(askService && { ask_service: true }) }
  const path = apiPath("cards", "check-references")
  return requestData({ method: "POST", path, body, schema: z.array(referenceCheck), signal })
}

/** Whether one reference can be used for a card of a template. */
export function referenceCheckQuery(template: string, reference: string, askService: boolean) {
  return queryOptions({
    queryKey: ["card-reference", template, reference, askService],
    queryFn: async ({ signal }) =>
      (await checkReferences([{ template, reference }], askService, signal))[0] ?? null,
    // It may cost a request each time, and whether the reference is free is decided when the card is sent.
    staleTime: 60_000,
    retry: false,
    refetchOnWindowFocus: false,
  })
}

/** A write on the register, whose entry comes back. */
function useCardWrite<A = void>(write: (given: A) => { path: string; body?: unknown }) {
  const client = useQueryClient()
  return useMutation({
    mutationFn: (given: A) => requestData({ method: "POST", schema: registeredCard, ...write(given) }),
    onSuccess: () => client.invalidateQueries({ queryKey: cardsKey }),
  })
}

/** Adds a card that was issued elsewhere to the register, as a look-up shows it. */
export function useAdoptCard() {
  return useCardWrite((body: AdoptCardBody) => ({ path: apiPath("cards", "adopt"), body }))
}

/** Looks a card of the register up at the service now; the register keeps what it says. */
export function useLookUpCard(id: string) {
  return useCardWrite(() => ({ path: apiPath("cards", id, "look-up") }))
}

/**
 * Asks for a card's redeem link, for the screen that asked: the answer is never kept, by no cache either. The reason is
 * in the audit log before the service is asked (docs/decisions/0009-gift-cards.md, Revealing).
 */
export async function revealCard(id: string, reason: string): Promise<RevealedCard> {
  const path = apiPath("cards", id, "reveal")
  return requestData({ method: "POST", path, body: { reason }, schema: revealedCard })
}

/** Card templates as they were entered: no endpoint lists them (docs/decisions/0009-gift-cards.md). */
export const cardTemplatesQuery = settingQuery("cardTemplates", cardTemplates)

/** Fee, GST and fund as they were entered: for forecasts only. */
export const cardCostsQuery = settingQuery("cardCosts", cardCosts)

/** Templates and amounts that the service refused. */
export const cardPairsQuery = settingQuery("cardPairs", cardPairs)

// What was drawn from the fund follows from the costs.
registerTopic("settings", cardFundQuery.queryKey)

/** Changes the card templates. */
export function useChangeCardTemplates() {
  type Change = (now: CardTemplates) => CardTemplates
  return useChangeSetting("cardTemplates", cardTemplates, async (change: Change, read) =>
    change(await read()),
  )
}

/** Saves what a card costs and what is in the fund. */
export const useSaveCardCosts = () => useSaveSetting("cardCosts", cardCosts, [cardFundQuery.queryKey])

/** Forgets that a pair was refused. Responses add to the list at any time. */
export function useForgetPair() {
  return useChangeSetting("cardPairs", cardPairs, async (pair: RefusedPair, read) => {
    const isOther = (each: RefusedPair) =>
      each.card_id !== pair.card_id || each.denomination !== pair.denomination
    return { refused: (await read()).refused.filter(isOther) }
  })
}
