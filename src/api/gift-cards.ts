import { queryOptions } from "@tanstack/react-query"
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
  type RegisteredCard,
  registeredCard,
  revealedCard,
  type RevealedCard,
} from "../../contract/cards.ts"
import { limits } from "../../contract/limits.ts"
import { cardReader } from "../../contract/giftcard/card.ts"
import { registerTopic } from "./events.ts"
import { pagedQueryDefaults, useWrite } from "./paging.ts"
import { apiPath, dataQuery, requestData, responseQuery } from "./request.ts"
import { serverTime } from "../lib/time.ts"
import { setting } from "./settings.ts"
import * as z from "zod/mini"

/** Everything the cache holds of the register starts with this key. */
export const cardsKey = ["cards"] as const

registerTopic("cards", cardsKey)

/** A list of register entries, as the server sends it. */
export const registeredCards = z.array(registeredCard)

/** One page of the register of gift cards, which is Laurel's own: no upstream request. */
export function cardsQuery(query: CardListQuery) {
  const read = { path: ["cards"], query, schema: registeredCards }
  return responseQuery([...cardsKey, "page", query], read, pagedQueryDefaults)
}

/**
 * Cards issued here or elsewhere to an e-mail, of one template and within a day, the newest first; from the register
 * only. Where the register can't say it, such as for a card that is still being issued, there is none.
 */
export function recentCardsQuery(email: string, template: string) {
  return queryOptions({
    queryKey: [...cardsKey, "recent", email, template],
    queryFn: async ({ signal }) => {
      const from = new Date(serverTime(Date.now()) - dayMs).toISOString()
      const query = { search: email, template, from, per_page: limits.perPage.max }
      const cards = await requestData({ path: apiPath("cards"), query, schema: registeredCards, signal })
      const isSame = (card: RegisteredCard) =>
        card.template === template && card.member.email?.toLowerCase() === email.toLowerCase()
      return cards.filter(isSame)
    },
    enabled: email.includes("@") && template !== "",
    retry: false,
  })
}

const dayMs = 86_400_000

/** One card of the register; ApiError 404 for a card that is not in it. */
export function cardQuery(id: string) {
  return responseQuery([...cardsKey, "one", id], { path: ["cards", id], schema: registeredCard })
}

/** What the register holds, for filters. */
export const cardFacetsQuery = dataQuery([...cardsKey, "facets"], {
  path: ["cards", "facets"],
  schema: cardFacets,
})

/** The fund as entered, and what live cards issued here drew from it since. */
export const cardFundQuery = dataQuery([...cardsKey, "fund"], {
  path: ["cards", "fund"],
  schema: cardFund,
})

/**
 * A card as the gift-card service has it now, by its id or its reference; a reference that several templates have needs
 * `template` (docs/api/giftcard.md, Look up a card). One request of the shared budget.
 */
export function cardLookupQuery(idOrReference: string, template: string | undefined) {
  const path = ["giftcard", "cards", idOrReference]
  return responseQuery(
    ["card-look-up", idOrReference, template],
    { path, query: { cardId: template }, schema: cardReader.tolerant, fresh: true },
    // Somebody asked for it: it is not read again because a window came back.
    { retry: false, retryOnMount: false, refetchOnWindowFocus: false },
  )
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
  return useWrite(
    (given: A) => requestData({ method: "POST", schema: registeredCard, ...write(given) }),
    (client) => client.invalidateQueries({ queryKey: cardsKey }),
  )
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
 * Requests a card's redeem link, for the screen that needs it: it is never kept, by no cache either. The reason is in
 * the audit log before the service is asked (docs/gift-cards.md, Revealing).
 */
export async function revealCard(id: string, reason: string): Promise<RevealedCard> {
  const path = apiPath("cards", id, "reveal")
  return requestData({ method: "POST", path, body: { reason }, schema: revealedCard })
}

const templates = setting("cardTemplates", cardTemplates)
const pairs = setting("cardPairs", cardPairs)

/** Card templates as they were entered: no endpoint lists them (docs/gift-cards.md). */
export const cardTemplatesQuery = templates.query

/** Changes the card templates. */
export const useChangeCardTemplates = () =>
  templates.useChange((change: (now: CardTemplates) => CardTemplates, now) => change(now))

/** Fee, GST and fund as they were entered: for forecasts only. */
export const { query: cardCostsQuery, useSave: useSaveCardCosts } = setting("cardCosts", cardCosts, [
  cardFundQuery.queryKey,
])

// What was drawn from the fund follows from the costs.
registerTopic("settings", cardFundQuery.queryKey)

/** Templates and amounts that the service refused. */
export const cardPairsQuery = pairs.query

/** Forgets that a pair was refused. Responses add to the list at any time. */
export const useForgetPair = () =>
  pairs.useChange((pair: RefusedPair, { refused }) => ({
    refused: refused.filter(
      (each) => each.card_id !== pair.card_id || each.denomination !== pair.denomination,
    ),
  }))
