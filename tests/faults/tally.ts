import type { LoggedRequest } from "../../sandbox/app.ts"

/** What Laurel's requests to the service were for. */
export interface Tally {
  /** Writes. */
  readonly sends: number
  /** Histories of members with a write that met a fault: unknown rows are looked up. */
  readonly looks: number
  /** Other histories: effects of ours whose appearance is watched. */
  readonly controls: number
  readonly balances: number
  /** Member lists and searches. */
  readonly emails: number
  readonly other: number
}

const history = /^\/v1\/members\/([^/]+)\/transactions$/
const memberIds = /"member_id":"([^"]+)"/g

/** Counts requests as they come: the sandbox's own log forgets the oldest of a long run. */
export function createTally(): { add(entry: LoggedRequest): void; readonly counts: Tally } {
  const counts = { sends: 0, looks: 0, controls: 0, balances: 0, emails: 0, other: 0 }
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
        counts[troubled.has(decodeURIComponent(member)) ? "looks" : "controls"] += 1
      else if (path.endsWith("/balance")) counts.balances += 1
      else if (path === "/v1/members") counts.emails += 1
      else counts.other += 1
    },
  }
}

/** Requests for each row besides e-mails and watched effects. */
export function perRow({ sends, looks, balances, other }: Tally, rows: number): number {
  return (sends + looks + balances + other) / rows
}

/** The tally in one line. */
export function tallyLine(tally: Tally, rows: number): string {
  const { sends, looks, controls, balances, emails, other } = tally
  const each = perRow(tally, rows).toFixed(4)
  return `${each} requests a row (sends ${sends}, looks ${looks}, balances ${balances}, other ${other}); besides: controls ${controls}, e-mails ${emails}`
}
