/** A tag of a body's text: 53 bits of cyrb53, enough to tell one reader's answers apart. */
export function etagOf(text: string): string {
  let one = 0xdeadbeef
  let other = 0x41c6ce57
  for (let at = 0; at < text.length; at += 1) {
    const unit = text.charCodeAt(at)
    one = Math.imul(one ^ unit, 2654435761)
    other = Math.imul(other ^ unit, 1597334677)
  }
  one = Math.imul(one ^ (one >>> 16), 2246822507) ^ Math.imul(other ^ (other >>> 13), 3266489909)
  other = Math.imul(other ^ (other >>> 16), 2246822507) ^ Math.imul(one ^ (one >>> 13), 3266489909)
  const bits = 4294967296 * (2097151 & other) + (one >>> 0)
  return `"${bits.toString(36)}-${text.length.toString(36)}"`
}

/** Whether an `If-None-Match` names this tag. */
export function matchesEtag(header: string | undefined, etag: string): boolean {
  if (header === undefined) return false
  return header.split(",").some((part) => {
    const named = part.trim().replace(/^W\//, "")
    return named === etag || named === "*"
  })
}
