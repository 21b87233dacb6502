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

/** Key prefix of everything cached from the register. */
export const cardsKey = ["cards"] as const

registerTopic("cards", cardsKey)

/** A list of register entries. */
export const registeredCards = z.array(registeredCard)

/** One page of the register of gift cards. No upstream request. */
export function cardsQuery(query: CardListQuery) {
  const read = { path: ["cards"], query, schema: registeredCards }
  return responseQuery([...cardsKey, "page", query], read, pagedQueryDefaults)
}

/**
 * Cards of one template that an e-mail received within the last day, newest first, by the register. Cards without these
 * details, such as those still being issued, are not included.
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

/** Values for the register's filters. */
export const cardFacetsQuery = dataQuery([...cardsKey, "facets"], {
  path: ["cards", "facets"],
  schema: cardFacets,
})

/** The fund as entered, and the amount of live cards issued since. */
export const cardFundQuery = dataQuery([...cardsKey, "fund"], {
  path: ["cards", "fund"],
  schema: cardFund,
})

/**
 * A card as the gift-card service has it, by id or reference; a reference that several templates use needs `template`
 * (docs/api/giftcard.md, Look up a card). One upstream request.
 */
export function cardLookupQuery(idOrReference: string, template: string | undefined) {
  const path = ["giftcard", "cards", idOrReference]
  return responseQuery(
    ["card-look-up", idOrReference, template],
    { path, query: { cardId: template }, schema: cardReader.tolerant, fresh: true },
    // A lookup is requested by the user, so it is never repeated automatically.
    { retry: false, retryOnMount: false, refetchOnWindowFocus: false },
  )
}

/**
 * Whether references can be used for cards, in the given order. A single one is also looked up at the service if
 * `askService`: one upstream request.
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
    // It may cost a request each time, and the reference is checked again when the card is issued.
    staleTime: 60_000,
    retry: false,
    refetchOnWindowFocus: false,
  })
}

/** A write to the register; returns the entry. */
function useCardWrite<A = void>(write: (given: A) => { path: string; body?: unknown }) {
  return useWrite(
    (given: A) => requestData({ method: "POST", schema: registeredCard, ...write(given) }),
    (client) => client.invalidateQueries({ queryKey: cardsKey }),
  )
}

/** Adds a card that was issued elsewhere to the register, as found by a lookup. */
export function useAdoptCard() {
  return useCardWrite((body: AdoptCardBody) => ({ path: apiPath("cards", "adopt"), body }))
}

/** Looks a registered card up at the service and updates the register. */
export function useLookUpCard(id: string) {
  return useCardWrite(() => ({ path: apiPath("cards", id, "look-up") }))
}

/**
 * Requests a card's redeem link. It is never cached. The reason is in the audit log before the service is called
 * (docs/gift-cards.md, Revealing).
 */
export async function revealCard(id: string, reason: string): Promise<RevealedCard> {
  const path = apiPath("cards", id, "reveal")
  return requestData({ method: "POST", path, body: { reason }, schema: revealedCard })
}

const templates = setting("cardTemplates", cardTemplates)
const pairs = setting("cardPairs", cardPairs)

/** Card templates as entered: no endpoint lists them (docs/gift-cards.md). */
export const cardTemplatesQuery = templates.query

/** Changes the card templates. */
export const useChangeCardTemplates = () =>
  templates.useChange((change: (now: CardTemplates) => CardTemplates, now) => change(now))

/** Fee, GST and fund as entered, for forecasts only. */
export const { query: cardCostsQuery, useSave: useSaveCardCosts } = setting("cardCosts", cardCosts, [
  cardFundQuery.queryKey,
])

// The amount drawn from the fund depends on the costs.
registerTopic("settings", cardFundQuery.queryKey)

/** Template and amount pairs that the service refused. */
export const cardPairsQuery = pairs.query

/** Removes a refused pair. Responses may add to the list at any time. */
export const useForgetPair = () =>
  pairs.useChange((pair: RefusedPair, { refused }) => ({
    refused: refused.filter(
      (each) => each.card_id !== pair.card_id || each.denomination !== pair.denomination,
    ),
  }))
