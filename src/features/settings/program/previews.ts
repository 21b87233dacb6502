/** The time of day in a zone, `21 Nov, 14:05`; undefined while its name is not known to the platform. */
export function timeIn(zone: string, now: number): string | undefined {
  try {
    return new Intl.DateTimeFormat("en-AU", {
      timeZone: zone,
      day: "numeric",
      month: "short",
      hour: "2-digit",
      minute: "2-digit",
      hourCycle: "h23",
    }).format(now)
  } catch {
    return undefined
  }
}

/** An amount as it reads with a currency; undefined while its code is not one. */
export function amountIn(currency: string): string | undefined {
  if (!/^[A-Z]{3}$/.test(currency)) return undefined
  return new Intl.NumberFormat("en-AU", { style: "currency", currency }).format(1250)
}
