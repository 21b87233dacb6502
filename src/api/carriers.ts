import { queryOptions, useMutation, useQuery, useQueryClient } from "@tanstack/react-query"
import { carrierSettings, recognised, trackingLink } from "../../contract/orders.ts"
import { registerTopic } from "./events.ts"
import { apiPath, requestData } from "./request.ts"
import { settingQuery, useSaveSetting } from "./settings.ts"
import * as z from "zod/mini"

const recogniseKey = ["carriers", "recognised"] as const

/** The carriers of the program: names, links to a parcel's page, and which are offered. */
export const carriersQuery = { ...settingQuery("carriers", carrierSettings), staleTime: 5 * 60_000 }

registerTopic("settings", recogniseKey)

/** Saves the carriers of the program, all of them together. Numbers are recognised anew. */
export const useSaveCarriers = () => useSaveSetting("carriers", carrierSettings, [recogniseKey])

/** Whose these tracking numbers are (at most 500), in the order asked. Costs no upstream request. */
export function recogniseQuery(numbers: readonly string[]) {
  return queryOptions({
    queryKey: [...recogniseKey, numbers],
    queryFn: ({ signal }) => {
      if (numbers.length === 0) return []
      const path = apiPath("carriers", "recognise")
      return requestData({ method: "POST", path, body: { numbers }, schema: z.array(recognised), signal })
    },
    staleTime: 5 * 60_000,
  })
}

/** Says whose a number is; it is remembered for numbers of the same beginning and length. `orders.update` only. */
export function useChooseCarrier() {
  const queryClient = useQueryClient()
  return useMutation({
    mutationFn: (body: { readonly number: string; readonly carrier: string }) =>
      requestData({ method: "POST", path: apiPath("carriers", "choice"), body, schema: z.undefined() }),
    onSuccess: () => queryClient.invalidateQueries({ queryKey: recogniseKey }),
  })
}

/** A parcel's page at its carrier, and whose page it is. */
export interface ParcelLink {
  readonly href: string
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
