import { queryOptions, useMutation, useQueryClient } from "@tanstack/react-query"
import {
  cardCosts,
  cardPairs,
  cardTemplates,
  type CardCosts,
  type CardPairs,
  type CardTemplates,
  type RefusedPair,
} from "../../contract/desk/card-settings.ts"
import { cardFundQuery } from "./cards.ts"
import { registerTopic } from "./events.ts"
import { apiPath } from "./path.ts"
import { request } from "./request.ts"

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
