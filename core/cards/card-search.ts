import type { CardRecord } from "./card-store.ts"

type Named = Pick<CardRecord, "id" | "email" | "name" | "reference" | "ownReference" | "memberId">

/** The text in which a card is searched, in lower case, one thing in each line. */
export function cardSearchText({ id, email, name, reference, ownReference, memberId }: Named): string {
  return [id, email, name, reference, ownReference, memberId]
    .flatMap((text) => text ?? [])
    .join("\n")
    .toLowerCase()
}
