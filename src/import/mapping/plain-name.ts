/** A column's name as it is compared: lower case, no accents, no blanks or signs. `Member_ID` and `member id` are one. */
export function plainName(name: string): string {
  return name
    .normalize("NFKD")
    .toLowerCase()
    .replaceAll("ß", "ss")
    .replaceAll(/[^\p{Letter}\p{Number}]/gu, "")
}
