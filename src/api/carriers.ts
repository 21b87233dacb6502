import { queryOptions, useMutation, useQuery, useQueryClient } from "@tanstack/react-query"
import {
  carrierSettings,
  type CarrierSettings,
  recognised,
  type Recognised,
  trackingLink,
} from "../../contract/orders.ts"
import { registerTopic } from "./events.ts"
import { apiPath, request } from "./request.ts"
import * as z from "zod/mini"

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

/** A parcel's page at its carrier. */
export interface ParcelLink {
  readonly href: string
  /** Whose page it is. */
  readonly carrier: string
}

/**
 * Where a parcel can be followed: at the carrier the order names, else at the one its number is recognised as. Undefined
 * where there is no number, nobody knows the carrier, or it has no page.
 */
export function useParcelLink(
  number: string | undefined,
  carrier: string | undefined,
): ParcelLink | undefined {
  const { data } = useQuery({ ...carriersQuery, enabled: number !== undefined })
  const carriers = data?.carriers ?? []
  const named = carriers.find(
    ({ code, name }) => carrier !== undefined && [code, name].some((each) => isSame(each, carrier)),
  )
  const asks = number !== undefined && data !== undefined && named === undefined
  const found = useQuery({ ...recogniseQuery(number === undefined ? [] : [number]), enabled: asks }).data?.[0]
  if (number === undefined) return undefined
  if (named !== undefined) {
    const href = trackingLink(named.link, number)
    return href === null ? undefined : { href, carrier: named.name }
  }
  const chosen = carriers.find(({ code }) => code === found?.chosen)
  return found?.link && chosen ? { href: found.link, carrier: chosen.name } : undefined
}

function isSame(one: string, other: string): boolean {
  return one.trim().toLocaleLowerCase() === other.trim().toLocaleLowerCase()
}
