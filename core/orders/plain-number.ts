/** A tracking number as it is compared: spaces, hyphens and the case of letters do not make another one. */
export function plainNumber(number: string): string {
  return number.replaceAll(/[^\p{L}\p{N}]/gu, "").toUpperCase()
}
