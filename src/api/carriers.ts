import { queryOptions, useMutation, useQueryClient } from "@tanstack/react-query"
import {
  carrierSettings,
  recognised,
  type CarrierSettings,
  type Recognised,
} from "../../contract/desk/carriers.ts"
import { z } from "../lib/z.ts"
import { registerTopic } from "./events.ts"
import { apiPath } from "./path.ts"
import { request } from "./request.ts"

const recogniseKey = ["carriers", "recognised"] as const

/** The carriers of the program: names, links to a parcel's page, and which are offered. Everybody reads them. */
export const carriersQuery = queryOptions({
  queryKey: ["settings", "carriers"],
  queryFn: async ({ signal }) =>
    (await request({ path: apiPath("settings", "carriers"), schema: carrierSettings, signal })).data,
  staleTime: 5 * 60_000,
})

registerTopic("settings", carriersQuery.queryKey)
registerTopic("settings", recogniseKey)

/** Saves the carriers of the program, all of them together. Numbers are recognised anew. */
export function useSaveCarriers() {
  const queryClient = useQueryClient()
  return useMutation({
    mutationFn: async (body: CarrierSettings): Promise<CarrierSettings> => {
      const path = apiPath("settings", "carriers")
      return (await request({ method: "PUT", path, body, schema: carrierSettings })).data
    },
    onSuccess: async (saved) => {
      queryClient.setQueryData(carriersQuery.queryKey, saved)
      await queryClient.invalidateQueries({ queryKey: recogniseKey })
    },
  })
}

/** Whose these tracking numbers are (at most 500), in the order asked. Costs no upstream request. */
export function recogniseQuery(numbers: readonly string[]) {
  return queryOptions({
    queryKey: [...recogniseKey, numbers],
    queryFn: async ({ signal }): Promise<Recognised[]> => {
      if (numbers.length === 0) return []
      const path = apiPath("carriers", "recognise")
      return (await request({ method: "POST", path, body: { numbers }, schema: z.array(recognised), signal }))
        .data
    },
    staleTime: 5 * 60_000,
  })
}

/** Says whose a number is; it is remembered for numbers of the same beginning and length. `orders.update` only. */
export function useChooseCarrier() {
  const queryClient = useQueryClient()
  return useMutation({
    mutationFn: async (body: { readonly number: string; readonly carrier: string }): Promise<void> => {
      await request({ method: "POST", path: apiPath("carriers", "choice"), body, schema: z.undefined() })
    },
    onSuccess: () => queryClient.invalidateQueries({ queryKey: recogniseKey }),
  })
}
