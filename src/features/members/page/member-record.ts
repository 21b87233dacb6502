import { memberQuery } from "../../../api/members.ts"

/**
 * The member as its own page reads it. A row of a list opened minutes ago is good enough here: opening the page then
 * costs two requests, for balance and ledger, and not a third. What is changed through the desk arrives as an event,
 * the details say how old the copy is, and an edit begins with a fresh read.
 */
export function memberRecordQuery(memberId: string) {
  // The route asks before the page is there; one that comes after a failure says so and does not ask again.
  return { ...memberQuery(memberId), staleTime: 5 * 60_000, retryOnMount: false }
}
