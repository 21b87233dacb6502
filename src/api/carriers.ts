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

/** Carriers of the program: names, links to tracking pages, and which are offered. */
export const carriersQuery = { ...carriers.query, staleTime: 5 * 60_000 }

/** Replaces the carriers of the program; tracking numbers are recognised again. */
export const useSaveCarriers = carriers.useSave

/** The sender as printed on packing slips. */
export const { query: senderQuery, useSave: useSaveSender } = setting("sender", senderSettings)

/** Carriers of these tracking numbers (at most 500), in the same order. No upstream request. */
export function recogniseQuery(numbers: readonly string[]) {
  const path = ["carriers", "recognise"]
  return dataQuery(
    [...recogniseKey, numbers],
    { method: "POST", asks: true, path, body: { numbers }, schema: z.array(recognised) },
    { staleTime: 5 * 60_000, enabled: numbers.length > 0 },
  )
}

/** Sets the carrier of a number; it is remembered for numbers with the same prefix and length. `orders.update` only. */
export function useChooseCarrier() {
  const path = apiPath("carriers", "choice")
  return useWrite(
    (body: { readonly number: string; readonly carrier: string }) =>
      requestData({ method: "POST", path, body, schema: z.undefined() }),
    (client) => client.invalidateQueries({ queryKey: recogniseKey }),
  )
}

/** A parcel's tracking page and its carrier. */
export interface ParcelLink {
  readonly href: string
  readonly carrier: string
}

/**
 * The tracking page of a parcel: at the order's carrier, else at the recognised one. Undefined without a number, with
 * an unknown carrier, or if the carrier has no page.
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
