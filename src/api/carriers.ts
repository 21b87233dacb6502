import { useQuery } from "@tanstack/react-query"
import { carrierSettings, recognised, trackingLink } from "../../contract/orders.ts"
import { senderSettings } from "../../contract/settings.ts"
import { registerTopic } from "./events.ts"
import { apiPath, dataQuery, requestData } from "./request.ts"
import { useWrite } from "./paging.ts"
import { setting } from "./settings.ts"
import * as z from "zod/mini"

const recogniseKey = ["carriers", "recognised"] as const

registerTopic("settings", recogniseKey)

const carriers = setting("carriers", carrierSettings, [recogniseKey])

/** The carriers of the program: names, links to a parcel's page, and which are offered. */
export const carriersQuery = { ...carriers.query, staleTime: 5 * 60_000 }

/** Saves the carriers of the program, all of them together. Numbers are recognised anew. */
export const useSaveCarriers = carriers.useSave

/** Whose parcels these are, as packing slips say. */
export const { query: senderQuery, useSave: useSaveSender } = setting("sender", senderSettings)

/** Whose these tracking numbers are (at most 500), in the same order. Costs no upstream request. */
export function recogniseQuery(numbers: readonly string[]) {
  const path = ["carriers", "recognise"]
  return dataQuery(
    [...recogniseKey, numbers],
    { method: "POST", asks: true, path, body: { numbers }, schema: z.array(recognised) },
    { staleTime: 5 * 60_000, enabled: numbers.length > 0 },
  )
}

/** Says whose a number is; it is remembered for numbers of the same beginning and length. `orders.update` only. */
export function useChooseCarrier() {
  const path = apiPath("carriers", "choice")
  return useWrite(
    (body: { readonly number: string; readonly carrier: string }) =>
      requestData({ method: "POST", path, body, schema: z.undefined() }),
    (client) => client.invalidateQueries({ queryKey: recogniseKey }),
  )
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
  const known = data?.carriers ?? []
  const isSame = (name: string) => name.trim().toLocaleLowerCase() === carrier?.trim().toLocaleLowerCase()
  const named = known.find(({ code, name }) => isSame(code) || isSame(name))
  const enabled = number !== undefined && data !== undefined && named === undefined
  const found = useQuery({ ...recogniseQuery(number === undefined ? [] : [number]), enabled }).data?.[0]
  if (number === undefined) return undefined
  if (named !== undefined) {
    const href = trackingLink(named.link, number)
    return href === null ? undefined : { href, carrier: named.name }
  }
  const chosen = known.find(({ code }) => code === found?.chosen)
  return found?.link && chosen ? { href: found.link, carrier: chosen.name } : undefined
}
