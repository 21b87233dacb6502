/** The first `most` characters of a text, never half of one: half a character is what no database keeps. */
export function cutText(text: string, most: number): string {
  return Array.from(text).slice(0, most).join("")
}
