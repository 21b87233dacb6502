import { useQuery } from "@tanstack/react-query"
import { trackingLink } from "../../contract/desk/carriers.ts"
import { carriersQuery, recogniseQuery } from "./carriers.ts"

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
