import type { LoggedRequest } from "../../sandbox/app.ts"

/** Laurel's requests to the service by purpose. */
export interface Tally {
  /** Writes. */
  readonly sends: number
  /** Histories of members with a faulty write: lookups of unknown rows. */
  readonly lookups: number
  /** Other histories: canary reads. */
  readonly canaries: number
  readonly balances: number
  /** Member lists and searches. */
  readonly emails: number
  readonly other: number
}

const history = /^\/v1\/members\/([^/]+)\/transactions$/
const memberIds = /"member_id":"([^"]+)"/g

/** Counts requests as they are logged: the sandbox's log drops the oldest. */
export function createTally(): { add(entry: LoggedRequest): void; readonly counts: Tally } {
  const counts = { sends: 0, lookups: 0, canaries: 0, balances: 0, emails: 0, other: 0 }
  const troubled = new Set<string>()
  return {
    counts,
    add({ method, path, body, fault, status }) {
      const member = history.exec(path)?.[1]
      if (method === "POST") {
        counts.sends += 1
        const trouble = fault !== undefined || status === 0 || status >= 500
        if (trouble) for (const [, id = ""] of body.matchAll(memberIds)) troubled.add(id)
      } else if (member !== undefined)
        counts[troubled.has(decodeURIComponent(member)) ? "lookups" : "canaries"] += 1
      else if (path.endsWith("/balance")) counts.balances += 1
      else if (path === "/v1/members") counts.emails += 1
      else counts.other += 1
    },
  }
}

/** Requests per row, without e-mail searches and canaries. */
export function perRow({ sends, lookups, balances, other }: Tally, rows: number): number {
  return (sends + lookups + balances + other) / rows
}

/** The tally in one line. */
export function tallyLine(tally: Tally, rows: number): string {
  const { sends, lookups, canaries, balances, emails, other } = tally
  const each = perRow(tally, rows).toFixed(4)
  return `${each} requests a row (sends ${sends}, lookups ${lookups}, balances ${balances}, other ${other}); besides: canaries ${canaries}, e-mails ${emails}`
}
