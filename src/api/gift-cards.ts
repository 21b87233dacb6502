import { keepPreviousData, queryOptions, useMutation, useQueryClient } from "@tanstack/react-query"
import {
  type AdoptCardBody,
  cardCosts,
  type CardCosts,
  cardFacets,
  cardFund,
  type CardListQuery,
  cardPairs,
  type CardPairs,
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
import { type Answer, apiPath, request } from "./request.ts"
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
  queryFn: async ({ signal }) =>
    (await request({ path: apiPath("cards", "facets"), schema: cardFacets, signal })).data,
})

/** The fund as entered, and what live cards issued here drew from it since. */
export const cardFundQuery = queryOptions({
  queryKey: [...cardsKey, "fund"],
  queryFn: async ({ signal }) =>
    (await request({ path: apiPath("cards", "fund"), schema: cardFund, signal })).data,
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

const referenceChecks = z.array(referenceCheck)

/**
 * Whether references can be used for cards, in the order they are given. The service is asked about a single one only,
 * and only where `askService` says so: one request of the shared budget.
 */
export async function checkReferences(
  references: ReferenceCheckBody["references"],
  askService: boolean,
  signal?: AbortSignal,
): Promise<ReferenceCheck[]> {
  const { data } = await request({
    method: "POST",
    path: apiPath("cards", "check-references"),
    body: { references, ...(askService && { ask_service: true }) },
    schema: referenceChecks,
    ...(signal && { signal }),
  })
  return data
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

/** Adds a card that was issued elsewhere to the register, as a look-up shows it. */
export function useAdoptCard() {
  const client = useQueryClient()
  return useMutation({
    mutationFn: async (body: AdoptCardBody): Promise<RegisteredCard> =>
      (await request({ method: "POST", path: apiPath("cards", "adopt"), body, schema: registeredCard })).data,
    onSuccess: () => client.invalidateQueries({ queryKey: cardsKey }),
  })
}

/** Asks the service for a card of the register now; the register keeps what it says. */
export function useLookUpCard(id: string) {
  const client = useQueryClient()
  return useMutation({
    mutationFn: async (): Promise<RegisteredCard> =>
      (await request({ method: "POST", path: apiPath("cards", id, "look-up"), schema: registeredCard })).data,
    onSuccess: () => client.invalidateQueries({ queryKey: cardsKey }),
  })
}

/**
 * Asks for a card's redeem link, for the screen that asked: the answer is never kept, by no cache either. The reason is
 * in the audit log before the service is asked (docs/decisions/0009-gift-cards.md, Revealing).
 */
export async function revealCard(id: string, reason: string): Promise<RevealedCard> {
  const answer = await request({
    method: "POST",
    path: apiPath("cards", id, "reveal"),
    body: { reason },
    schema: revealedCard,
  })
  return answer.data
}

const paths = {
  templates: apiPath("settings", "cardTemplates"),
  costs: apiPath("settings", "cardCosts"),
  pairs: apiPath("settings", "cardPairs"),
}

/** Card templates as they were entered: no endpoint lists them (docs/decisions/0009-gift-cards.md). */
export const cardTemplatesQuery = queryOptions({
  queryKey: ["settings", "cardTemplates"],
  queryFn: async ({ signal }) =>
    (await request({ path: paths.templates, schema: cardTemplates, signal })).data,
})

/** Fee, GST and fund as they were entered: for forecasts only. */
export const cardCostsQuery = queryOptions({
  queryKey: ["settings", "cardCosts"],
  queryFn: async ({ signal }) => (await request({ path: paths.costs, schema: cardCosts, signal })).data,
})

/** Templates and amounts that the service refused. */
export const cardPairsQuery = queryOptions({
  queryKey: ["settings", "cardPairs"],
  queryFn: async ({ signal }) => (await request({ path: paths.pairs, schema: cardPairs, signal })).data,
})

registerTopic("settings", cardTemplatesQuery.queryKey)
registerTopic("settings", cardCostsQuery.queryKey)
registerTopic("settings", cardPairsQuery.queryKey)
// What was drawn from the fund follows from the costs.
registerTopic("settings", cardFundQuery.queryKey)

/** Changes the card templates. They are read again right before, so that somebody else's change is kept. */
export function useChangeCardTemplates() {
  const client = useQueryClient()
  return useMutation({
    mutationFn: async (change: (now: CardTemplates) => CardTemplates): Promise<CardTemplates> => {
      const now = (await request({ path: paths.templates, schema: cardTemplates })).data
      return (
        await request({ method: "PUT", path: paths.templates, body: change(now), schema: cardTemplates })
      ).data
    },
    onSuccess: (saved) => client.setQueryData(cardTemplatesQuery.queryKey, saved),
  })
}

/** Saves what a card costs and what is in the fund. */
export function useSaveCardCosts() {
  const client = useQueryClient()
  return useMutation({
    mutationFn: async (body: CardCosts): Promise<CardCosts> =>
      (await request({ method: "PUT", path: paths.costs, body, schema: cardCosts })).data,
    onSuccess: (saved) => {
      client.setQueryData(cardCostsQuery.queryKey, saved)
      return client.invalidateQueries({ queryKey: cardFundQuery.queryKey })
    },
  })
}

/** Forgets that a pair was refused. The list is read again right before: answers add to it at any time. */
export function useForgetPair() {
  const client = useQueryClient()
  return useMutation({
    mutationFn: async (pair: RefusedPair): Promise<CardPairs> => {
      const now = (await request({ path: paths.pairs, schema: cardPairs })).data
      const refused = now.refused.filter(
        (each) => each.card_id !== pair.card_id || each.denomination !== pair.denomination,
      )
      return (await request({ method: "PUT", path: paths.pairs, body: { refused }, schema: cardPairs })).data
    },
    onSuccess: (saved) => client.setQueryData(cardPairsQuery.queryKey, saved),
  })
}
