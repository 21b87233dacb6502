import type { JobKind } from "../contract/job.ts"
import type { Note } from "../contract/notes.ts"
import { rowOutcome } from "../contract/row-outcomes.ts"
import { demoPeople } from "../contract/users.ts"
import type { JobRecord, RowRecord } from "../core/jobs/job-store.ts"
import { firstJobNumber, formatJobId } from "../core/jobs/records.ts"
import type { BoardSnapshot } from "../core/ports.ts"
import { boards, rankedAt, participants } from "../sandbox/program/leaderboards.ts"
import { seedKey } from "../sandbox/seed/cards.ts"
import { filedAt, filedMembers, reversedBatch } from "../sandbox/seed/ledger.ts"
import { day, minute, mix, type Random, randomFrom } from "../sandbox/seed/random.ts"
import type { MemberRecord, OrderRecord, TransactionRecord } from "../sandbox/store/records.ts"
import type { SandboxStore } from "../sandbox/store/store.ts"

type Person = (typeof demoPeople)[number]

function personOf(role: Person["role"]): Person {
  const found = demoPeople.find((one) => one.role === role)
  if (found === undefined) throw new Error(`No demo person is a ${role}.`)
  return found
}

export const admin = personOf("admin")
export const manager = personOf("manager")
const packer = personOf("fulfilment")
export const viewer = personOf("viewer")

/** A row of a past job: what was asked, and what is in the sandbox for it. */
interface PastRow {
  readonly input: Readonly<Record<string, unknown>>
  /** Who or what it names, as the job shows it. */
  readonly label: string
  /** The effect in the services' records; without it the row says itself what became of it. */
  readonly done?: { readonly id: string; readonly balanceAfter?: number; readonly at: number } | undefined
  readonly set?: Partial<RowRecord>
}

export interface PastJob {
  readonly kind: JobKind
  readonly at: number
  readonly by: Person
  readonly rows: readonly PastRow[]
  readonly set?: Partial<JobRecord>
  /** A failed row was corrected so long after the start, ms. */
  readonly fixedAfter?: number
}

/** A year of jobs, oldest first, notes and leaderboards, as the records of a sandbox that was just seeded tell of them. */
export function pastJobs(sandbox: SandboxStore) {
  const { seededAt, number } = sandbox.base
  const random = randomFrom(number, 91)
  // The batch that was taken back is the first of the year: its reversal names it by its number.
  const since = seededAt - reversedBatch.days * day
  const members = Array.from({ length: Math.min(filedMembers, sandbox.base.members) }, (_, index) => {
    const member = sandbox.members.get(sandbox.members.idAt(index))
    const ledger = member === undefined ? [] : sandbox.transactions.of(member.id)
    return { index, member, ledger: ledger.filter((row) => row.created > since) }
  }).flatMap(({ member, ...rest }) => (member === undefined ? [] : [{ ...rest, member }]))
  const past = [
    ...batchTakenBack(members),
    ...filedAwards(members),
    ...singlePoints(members, seededAt, random),
    ...redemptions(sandbox, random),
    ...trackingFiles(sandbox.orders.all, seededAt),
    ...newMembers(sandbox, since),
    ...cardJobs(sandbox),
    ...unfinished(members, seededAt),
  ]
    .filter(({ at }) => at >= since)
    .toSorted((a, b) => a.at - b.at)
  return { jobs: past, notes: pastNotes(members, sandbox.orders.all), boards: pastBoards(sandbox) }
}

type Members = readonly Readonly<{
  index: number
  member: MemberRecord
  ledger: readonly TransactionRecord[]
}>[]

const nameOf = (member: MemberRecord) => `${member.first_name} ${member.last_name}`

function pointsRow(member: MemberRecord, row: TransactionRecord, reason = row.reason): PastRow {
  const reference = row.type === "award" && row.reference !== null ? { reference: row.reference } : {}
  return {
    input: { member_id: member.id, points: Math.abs(row.points), reason, ...reference },
    label: nameOf(member),
    done: { id: row.id, balanceAfter: row.balanceAfter, at: row.created },
  }
}

/** The first two jobs of the year: a batch sent by mistake, and its reversal. */
function batchTakenBack(members: Members): PastJob[] {
  const { codes, reason } = reversedBatch
  return codes.flatMap((batchCode, nth): PastJob[] => {
    const rows = members.flatMap(({ member, ledger }) =>
      ledger
        .filter((row) => row.reason.endsWith(`· batch ${batchCode}`))
        .map((row) => pointsRow(member, row, row.reason.replace(/ · batch .*$/, ""))),
    )
    const at = (rows[0]?.done?.at ?? 0) - 2000
    if (rows.length === 0) return []
    if (nth === 0) {
      return [{ kind: "award", at, by: manager, rows, set: { batchCode, mode: "bulk", title: reason } }]
    }
    const [first, second] = [formatJobId(firstJobNumber), `Reversal of ${reason}`]
    const back = rows.map((row, at) => ({ ...row, set: { reverses: { job: first, row: at + 1 } } }))
    return [{ kind: "deduct", at, by: admin, rows: back, set: { batchCode, reverses: first, title: second } }]
  })
}

/** Volume tiers, awarded from a file each month; some rows were corrected, and the newest file still has one to correct. */
function filedAwards(members: Members): PastJob[] {
  const filed = members.flatMap(({ index, member, ledger }) =>
    ledger
      .filter((row) => row.created === filedAt(row.created - 25 * day, index) && row.reason.endsWith("tier"))
      .map((row) => ({ member, row, month: new Date(row.created).toISOString().slice(0, 7) })),
  )
  const months = [...Map.groupBy(filed, ({ month }) => month)].toSorted(([a], [b]) => (a < b ? 1 : -1))
  return months.map(([month, found], age): PastJob => {
    const ordered = found.toSorted((a, b) => a.row.created - b.row.created)
    const rows = ordered.map(({ member, row }) => pointsRow(member, row))
    const corrected = rows[5]
    const [first] = rows
    if (age % 3 === 1 && corrected !== undefined) {
      rows[5] = { ...corrected, set: { attempts: 2, edits: 1 } }
    }
    if (age === 0 && first !== undefined) {
      const { points, reason } = first.input
      const email = "j.mcalister@coastalclimate.com.au"
      const outcome = rowOutcome("member_not_found")
      rows.push({ input: { email, points, reason }, label: email, set: { state: "failed", outcome } })
    }
    const file = { name: `volume-tier-${month}.csv`, fingerprint: `past-volume-tier-${month}` }
    const at = (ordered[0]?.row.created ?? 0) - 20_000
    const fixed = age % 3 === 1 ? { fixedAfter: 26 * minute } : {}
    return { kind: "award", at, by: manager, rows, set: { mode: "single", file }, ...fixed }
  })
}

/** Awards and deductions by hand: most of the last weeks', few of those before. */
function singlePoints(members: Members, seededAt: number, random: Random): PastJob[] {
  return members.flatMap(({ index, member, ledger }) =>
    ledger.flatMap((row): PastJob[] => {
      const isOwn = row.type === "deduct" || (row.type === "award" && row.reference !== null)
      const isBatch = row.reason.includes("· batch") || row.created === filedAt(row.created - 25 * day, index)
      const share = row.created > seededAt - 30 * day ? 0.6 : 0.06
      if (!isOwn || isBatch || random() > share) return []
      const kind = row.type === "deduct" ? "deduct" : "award"
      const by = random() < 0.15 ? admin : manager
      return [{ kind, at: row.created - 1200, by, rows: [pointsRow(member, row)], set: { mode: null } }]
    }),
  )
}

/** Redemptions for members: most of the open orders, so that parcels have addresses, and some of the year's. */
function redemptions({ orders, members, base }: SandboxStore, random: Random): PastJob[] {
  return orders.all.flatMap((order): PastJob[] => {
    const isOpen = order.status === "pending" || order.status === "processing"
    const isOwn = order.created > base.seededAt - 365 * day && random() < (isOpen ? 0.85 : 0.1)
    const member = isOwn ? members.get(order.memberId) : undefined
    if (member === undefined) return []
    const { memberId: member_id, rewardId: reward_id, quantity } = order
    const shipping_address = order.type === "physical" ? { shipping_address: addressOf(member) } : {}
    const work = { points_spent: order.points, status: "pending" }
    const row: PastRow = {
      input: { member_id, reward_id, quantity, ...shipping_address },
      label: nameOf(member),
      done: { id: order.id, at: order.created },
      set: { work },
    }
    return [{ kind: "redeem", at: order.created - 900, by: manager, rows: [row], set: { lane: "people" } }]
  })
}

const streets =
  "Wharf Street, Aerodrome Road, Brisbane Road, Harbour Drive, Foundry Lane, Station Street".split(", ")
const towns = [
  ["Maroochydore", "QLD", "4558"],
  ["Southport", "QLD", "4215"],
  ["Alexandria", "NSW", "2015"],
  ["Gosford", "NSW", "2250"],
  ["Dandenong", "VIC", "3175"],
  ["Corio", "VIC", "3214"],
  ["Fremantle", "WA", "6160"],
  ["Wingfield", "SA", "5013"],
] as const

function addressOf(member: MemberRecord) {
  const draw = mix(...Array.from(member.id, (letter) => letter.charCodeAt(0)))
  const [city, state, postal_code] = towns[draw % towns.length] ?? towns[0]
  const street = streets[(draw >>> 4) % streets.length] ?? streets[0] ?? ""
  const line2 = member.company === null ? {} : { line2: member.company }
  const line1 = `${1 + ((draw >>> 8) % 180)} ${street}`
  return { name: nameOf(member), line1, ...line2, city, state, postal_code, country: "AU" }
}

/** Tracking numbers of a day's parcels, from a file of the carrier. */
function trackingFiles(orders: readonly OrderRecord[], seededAt: number): PastJob[] {
  const shipped = orders.flatMap((order) =>
    order.shipped !== null && order.shipped > seededAt - 120 * day ? [{ order, at: order.shipped }] : [],
  )
  const days = [...Map.groupBy(shipped, ({ at }) => new Date(at).toISOString().slice(0, 10))]
  return days
    .filter(([, parcels]) => parcels.length >= 3)
    .slice(-16)
    .map(([date, parcels]): PastJob => {
      const at = Math.max(...parcels.map((parcel) => parcel.at))
      const rows = parcels.map(({ order }, nth): PastRow => {
        const tracking = { tracking_number: order.tracking ?? "", carrier: order.carrier ?? "" }
        const input = { order_id: order.id, status: "shipped", ...tracking }
        return { input, label: order.id, done: { id: order.id, at: at + nth * 1100 } }
      })
      const file = { name: `tracking-${date}.csv`, fingerprint: `past-tracking-${date}` }
      return { kind: "order-update", at: at - 1500, by: packer, rows, set: { file } }
    })
}

/** Members of the last year who were added here, one by one. */
function newMembers({ members, base }: SandboxStore, since: number): PastJob[] {
  // In a small program several shares fall on one member.
  const some = new Set([0.8, 0.86, 0.91, 0.95, 0.98].map((share) => Math.floor(base.members * share)))
  return [...some].flatMap((index): PastJob[] => {
    const member = members.get(members.idAt(index))
    if (member === undefined || member.created < since) return []
    const { email, first_name, last_name, company } = member
    const input = { email, first_name, last_name, ...(company === null ? {} : { company }) }
    const row = { input, label: nameOf(member), done: { id: member.id, at: member.created } }
    return [{ kind: "member-create", at: member.created - 800, by: manager, rows: [row] }]
  })
}

/** The cards of the seed: two batches from files, the others one by one. */
function cardJobs({ cards, members }: SandboxStore): PastJob[] {
  const issued = cards.all.flatMap((card) => {
    const member = members.get(card.memberId)
    return member === undefined ? [] : [{ card, member }]
  })
  const runs = Map.groupBy(issued, ({ card }) => Math.floor(card.issued / (5 * minute)))
  return [...runs.values()].map((run): PastJob => {
    const rows = run.map(({ card, member }): PastRow => {
      const { email, first_name: firstname, last_name: lastname } = member
      const { amount: denomination, cardId, externalRef, issued: at, isTest } = card
      const expiresAt = new Date(card.expires).toISOString()
      const input = { member: { email, firstname, lastname }, denomination, cardId, externalRef }
      return {
        input,
        label: nameOf(member),
        done: { id: card.id, at },
        set: {
          work: {
            // Its link is asked for with the request that issued it.
            body: { ...input, idempotencyKey: seedKey(card.id) },
            memberId: member.id,
            memberCreated: false,
            status: "issued",
            expiresAt,
            isTest,
            replayed: false,
          },
        },
      }
    })
    const at = Math.min(...run.map(({ card }) => card.issued)) - 1500
    const name = `nps-${new Date(at).toISOString().slice(0, 7)}.csv`
    const file = rows.length > 1 ? { file: { name, fingerprint: `past-${name}-cards` } } : {}
    return { kind: "giftcard", at, by: manager, rows, set: file }
  })
}

/** What waits for somebody: cards that the fund did not cover, and an award whose response was lost. */
function unfinished(members: Members, seededAt: number): PastJob[] {
  const waiting = members.slice(40, 46).map(({ member }, at): PastRow => {
    const { email, first_name: firstname, last_name: lastname } = member
    const card = { denomination: 100, cardId: "card_bunnings", externalRef: `NPS-${2301 + at}` }
    return { input: { member: { email, firstname, lastname }, ...card }, label: nameOf(member), set: planned }
  })
  const pause = { code: "INSUFFICIENT_FUND", message: "The program fund balance is too low" }
  const file = { name: "nps-thank-you.csv", fingerprint: "past-nps-thank-you" }
  const unsure = members.slice(11, 12).map(({ member }): PastRow => {
    const input = { member_id: member.id, points: 150, reason: "Training: quoting ducted systems" }
    // No award of the past is kept as a control, so that the ledger lacks this one proves nothing.
    const outcome = rowOutcome("no_control")
    const looks = [178, 176].map((ago) => seededAt - ago * minute)
    const set = { state: "conflict", outcome, attempts: 1, doubtful: true, looks } as const
    return { input, label: nameOf(member), set }
  })
  const jobs: PastJob[] = [
    {
      kind: "giftcard",
      at: seededAt - 26 * 60 * minute,
      by: admin,
      rows: waiting,
      set: { state: "paused", pause, file },
    },
    { kind: "award", at: seededAt - 3 * 60 * minute, by: manager, rows: unsure },
  ]
  return jobs.filter(({ rows }) => rows.length > 0)
}

const planned: Partial<RowRecord> = {
  state: "planned",
  attempts: 0,
  ordinal: null,
  endedAt: null,
  sentAt: null,
  firstSentAt: null,
}

/** Notes on members and orders that people meet first. */
function pastNotes(members: Members, orders: readonly OrderRecord[]): Note[] {
  const order = orders.findLast(({ status, type }) => status === "processing" && type === "physical")
  const about: readonly (readonly [Note["kind"], string | undefined, Person, string])[] = [
    ["member", members[0]?.member.id, manager, "Runs the Maroochydore branch. Prefers calls before 9 am."],
    ["member", members[4]?.member.id, admin, "Wants statements by post once a quarter."],
    [
      "member",
      members[11]?.member.id,
      manager,
      "Asked about the missing training points. Ledger checked with him.",
    ],
    ["order", order?.id, packer, "Recipient is at the site office until 3 pm. Ring the bell at gate 2."],
  ]
  const last = members[0]?.ledger.at(-1)?.created ?? 0
  return about.flatMap(([kind, id, by, text], at) =>
    id === undefined
      ? []
      : [
          {
            kind,
            id,
            text,
            version: 1,
            saved_at: new Date(last - (3 + 9 * at) * day).toISOString(),
            saved_by: by.name,
          },
        ],
  )
}

/** Leaderboards as somebody read them: on each of the last days, and before that once a week. */
function pastBoards(sandbox: SandboxStore): BoardSnapshot[] {
  const { seededAt } = sandbox.base
  const parts = participants(sandbox)
  const days = Array.from({ length: 77 }, (_, nth) => (nth < 30 ? nth + 1 : 30 + (nth - 29) * 7))
  // Nobody keeps looking at the last one, which makes no sense.
  return boards.slice(0, -1).flatMap((board) =>
    days.map((ago): BoardSnapshot => {
      const at = seededAt - ago * day
      // Movement compares the places of the last days, the chart the first ten.
      const sent = rankedAt(parts, board, at, ago > 8 ? 10 : 50)
      return { board: board.id, at, places: sent.length, complete: false, sent }
    }),
  )
}
