import type { AuditAction, AuditEntry } from "../../contract/audit.ts"
import type { Job } from "../../contract/job.ts"
import type { JobRow } from "../../contract/job-rows.ts"
import type { Note } from "../../contract/notes.ts"
import type { Role } from "../../contract/roles.ts"
import { rowOutcome } from "../../contract/row-outcomes.ts"
import { demoPeople } from "./people.ts"
import { boards, participants, rankedAt } from "../program/leaderboards.ts"
import type { MemberRecord, OrderRecord, TransactionRecord } from "../store/records.ts"
import type { SandboxStore } from "../store/store.ts"
import { seedKey } from "./cards.ts"
import { filedAt, filedMembers, reversedBatch } from "./ledger.ts"
import { day, minute, mix, type Random, randomFrom } from "./random.ts"

type Person = (typeof demoPeople)[number]

/** A row of a past job. Confirmed unless it has another state. */
interface PastRow extends Pick<JobRow, "input">, Partial<Pick<JobRow, "state" | "outcome" | "attempts">> {
  /** Name of the member or number of the order. */
  readonly label: string
  /** The record at the service, and when the service confirmed it, in ms. */
  readonly done?: { readonly id: string; readonly at: number; readonly balanceAfter?: number }
  /** What the service returned in addition to the id. */
  readonly answer?: Readonly<Record<string, unknown>>
  /** Times of lookups, in ms. */
  readonly lookups?: readonly number[]
}

/** A job of the past year: done unless it has a pause. */
export interface PastJob
  extends Pick<Job, "kind">, Partial<Pick<Job, "title" | "mode" | "file" | "pause" | "batch_code">> {
  /** When it was created, in ms. */
  readonly at: number
  readonly by: Person
  readonly rows: readonly PastRow[]
  /** Only the first two jobs: an award and its reversal, row by row. */
  readonly reversal?: "reversed" | "reverses"
}

export type History = ReturnType<typeof pastYear>

/** A year of work in Laurel that explains the records of a sandbox. Equal sandboxes give equal histories. */
export function pastYear(sandbox: SandboxStore) {
  const { seededAt, number } = sandbox.base
  const random = randomFrom(number, 91)
  const since = seededAt - reversedBatch.days * day
  const members = seatsOf(sandbox, Math.min(filedMembers, sandbox.base.members)).map(({ index, member }) => ({
    index,
    member,
    ledger: sandbox.transactions.of(member.id).filter(({ created }) => created > since),
  }))
  const others = [
    ...filedAwards(members),
    ...singlePoints(members, seededAt, random),
    ...redemptions(sandbox, random),
    ...trackingFiles(sandbox.orders.all, seededAt),
    ...newMembers(sandbox),
    ...cardJobs(sandbox),
    ...unfinishedJobs(members, seededAt),
  ]
    .filter(({ at }) => at >= since)
    .toSorted((a, b) => a.at - b.at)
  // The reversed batch and its reversal come first: they name each other by their numbers.
  const jobs = [...reversedJobs(members), ...others].map((job, index) => ({
    ...job,
    batch_code: job.batch_code ?? batchCode(number, index),
  }))
  const notes = pastNotes(members, sandbox.orders.all)
  return {
    /** When it ends, in ms. */
    until: seededAt,
    jobs,
    notes,
    /** Everything in the audit log except jobs. */
    audit: [...otherEntries(seededAt, randomFrom(number, 93)), ...notes.map(noteEntry)],
    snapshots: pastBoards(sandbox),
    names: seatsOf(sandbox, sandbox.base.members).map(({ member }) => ({
      id: member.id,
      name: nameOf(member),
      email: null,
      at: seededAt,
    })),
  }
}

type Members = readonly Readonly<{
  index: number
  member: MemberRecord
  ledger: readonly TransactionRecord[]
}>[]

function seatsOf({ members }: SandboxStore, count: number) {
  return Array.from({ length: count }, (_, index) => index).flatMap((index) => {
    const member = members.get(members.idAt(index))
    return member === undefined ? [] : [{ index, member }]
  })
}

const nameOf = ({ first_name, last_name }: MemberRecord) => `${first_name} ${last_name}`
const isoTime = (at: number) => new Date(at).toISOString()

function personOf(role: Role): Person {
  const person = demoPeople.find((one) => one.role === role)
  if (person === undefined) throw new Error(`No demo person has the role ${role}.`)
  return person
}

/** A code of five letters and digits, unique for each job. */
function batchCode(seed: number, index: number): string {
  const letters = "23456789ABCDEFGHJKLMNPQRSTUVWXYZ"
  const value = (mix(seed, 92) % 1000) + index * 1009
  return [0, 5, 10, 15, 20].map((shift) => letters.charAt((value >>> shift) % 32)).join("")
}

function pointsRow(member: MemberRecord, row: TransactionRecord, reason = row.reason): PastRow {
  const reference = row.type === "award" && row.reference !== null ? { reference: row.reference } : {}
  return {
    input: { member_id: member.id, points: Math.abs(row.points), reason, ...reference },
    label: nameOf(member),
    done: { id: row.id, at: row.created, balanceAfter: row.balanceAfter },
  }
}

/** A batch of awards sent by mistake, and its reversal. */
function reversedJobs(members: Members): PastJob[] {
  const { codes, reason } = reversedBatch
  const [award, deduction] = codes.map((code) => {
    const ending = ` · batch ${code}`
    const rows = members.flatMap(({ member, ledger }) =>
      ledger
        .filter((row) => row.reason.endsWith(ending))
        .map((row) => pointsRow(member, row, row.reason.slice(0, -ending.length))),
    )
    return { rows, batch_code: code, at: (rows[0]?.done?.at ?? 0) - 2000 }
  })
  if (award === undefined || deduction === undefined || award.rows.length === 0) return []
  const [manager, admin] = [personOf("manager"), personOf("admin")]
  const title = `Reversal of ${reason}`
  return [
    { ...award, kind: "award", by: manager, title: reason, mode: "bulk", reversal: "reversed" },
    { ...deduction, kind: "deduct", by: admin, title, reversal: "reverses" },
  ]
}

const isFiled = (row: TransactionRecord, index: number) =>
  row.created === filedAt(row.created - 25 * day, index)

/** Volume tiers from a file each month: in some a row was corrected, the newest still has one to correct. */
function filedAwards(members: Members): PastJob[] {
  const filed = members.flatMap(({ index, member, ledger }) =>
    ledger
      .filter((row) => isFiled(row, index) && row.reason.endsWith("tier"))
      .map((row) => ({ member, row, month: isoTime(row.created).slice(0, 7) })),
  )
  const months = [...Map.groupBy(filed, ({ month }) => month)].toSorted(([a], [b]) => (a < b ? 1 : -1))
  return months.map(([month, entries], age): PastJob => {
    const ordered = entries.toSorted((a, b) => a.row.created - b.row.created)
    const rows = ordered.map(({ member, row }, at): PastRow => {
      const attempts = age % 3 === 1 && at === 5 ? 2 : 1
      return { ...pointsRow(member, row), attempts }
    })
    const [first] = ordered
    if (age === 0 && first !== undefined) {
      const email = "j.mcalister@coastalclimate.com.au"
      const { points, reason } = first.row
      rows.push({
        input: { email, points, reason },
        label: email,
        state: "failed",
        outcome: rowOutcome("member_not_found"),
      })
    }
    const file = { name: `volume-tier-${month}.csv`, fingerprint: `past-volume-tier-${month}` }
    const at = (first?.row.created ?? 0) - 20_000
    return { kind: "award", at, by: personOf("manager"), rows, mode: "single", file }
  })
}

/** Awards and deductions by hand: most of the last month's, some of the rest. */
function singlePoints(members: Members, seededAt: number, random: Random): PastJob[] {
  return members.flatMap(({ index, member, ledger }) =>
    ledger.flatMap((row): PastJob[] => {
      const isOwn = row.type === "deduct" || (row.type === "award" && row.reference !== null)
      const share = row.created > seededAt - 30 * day ? 0.6 : 0.06
      if (!isOwn || row.reason.includes("· batch") || isFiled(row, index) || random() > share) return []
      const kind = row.type === "deduct" ? "deduct" : "award"
      const by = personOf(random() < 0.15 ? "admin" : "manager")
      return [{ kind, at: row.created - 1200, by, rows: [pointsRow(member, row)] }]
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
    const row: PastRow = {
      input: { member_id, reward_id, quantity, ...shipping_address },
      label: nameOf(member),
      done: { id: order.id, at: order.created },
      answer: { points_spent: order.points, status: "pending" },
    }
    return [{ kind: "redeem", at: order.created - 900, by: personOf("manager"), rows: [row] }]
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
  const line1 = `${1 + ((draw >>> 8) % 180)} ${streets[(draw >>> 4) % streets.length]}`
  const line2 = member.company === null ? {} : { line2: member.company }
  return { name: nameOf(member), line1, ...line2, city, state, postal_code, country: "AU" }
}

/** Tracking numbers of a day's parcels, from a file of the carrier. */
function trackingFiles(orders: readonly OrderRecord[], seededAt: number): PastJob[] {
  const shipped = orders.flatMap((order) =>
    order.shipped !== null && order.shipped > seededAt - 120 * day ? [{ order, at: order.shipped }] : [],
  )
  const days = [...Map.groupBy(shipped, ({ at }) => isoTime(at).slice(0, 10))]
  return days
    .filter(([, parcels]) => parcels.length >= 3)
    .slice(-16)
    .map(([date, parcels]): PastJob => {
      const at = Math.max(...parcels.map((parcel) => parcel.at))
      const rows = parcels.map(({ order: { id, tracking, carrier } }, index): PastRow => {
        const sent = { status: "shipped", tracking_number: tracking ?? "", carrier: carrier ?? "" }
        return { input: { order_id: id, ...sent }, label: id, done: { id, at: at + index * 1100 } }
      })
      const file = { name: `tracking-${date}.csv`, fingerprint: `past-tracking-${date}` }
      return { kind: "order-update", at: at - 1500, by: personOf("fulfilment"), rows, file }
    })
}

/** Members who were added one by one. */
function newMembers(sandbox: SandboxStore): PastJob[] {
  // In a small program several shares fall on one member.
  const indexes = new Set(
    [0.8, 0.86, 0.91, 0.95, 0.98].map((share) => Math.floor(sandbox.base.members * share)),
  )
  return seatsOf(sandbox, sandbox.base.members)
    .filter(({ index }) => indexes.has(index))
    .map(({ member }): PastJob => {
      const { id, email, first_name, last_name, company, created } = member
      const input = { email, first_name, last_name, ...(company === null ? {} : { company }) }
      const row = { input, label: nameOf(member), done: { id, at: created } }
      return { kind: "member-create", at: created - 800, by: personOf("manager"), rows: [row] }
    })
}

/** The sandbox's cards: two batches from files, the others one by one. */
function cardJobs({ cards, members }: SandboxStore): PastJob[] {
  const issued = cards.all.flatMap((card) => {
    const member = members.get(card.memberId)
    return member === undefined ? [] : [{ card, member }]
  })
  const batches = Map.groupBy(issued, ({ card }) => Math.floor(card.issued / (5 * minute)))
  return [...batches.values()].map((batch): PastJob => {
    const rows = batch.map(({ card, member }): PastRow => {
      const { id, amount, cardId, externalRef, isTest, issued: at, expires } = card
      const input = { member: recipient(member), denomination: amount, cardId, externalRef }
      const answer = {
        // A card's link is read by repeating the request that issued it.
        body: { ...input, idempotencyKey: seedKey(id) },
        memberId: member.id,
        memberCreated: false,
        status: "issued",
        expiresAt: isoTime(expires),
        isTest,
        replayed: false,
      }
      return { input, label: nameOf(member), done: { id, at }, answer }
    })
    const at = Math.min(...batch.map(({ card }) => card.issued)) - 1500
    const name = `nps-${isoTime(at).slice(0, 7)}.csv`
    const file = rows.length > 1 ? { file: { name, fingerprint: `past-${name}-cards` } } : {}
    return { kind: "giftcard", at, by: personOf("manager"), rows, ...file }
  })
}

const recipient = ({ email, first_name, last_name }: MemberRecord) => {
  return { email, firstname: first_name, lastname: last_name }
}

/** What waits for a person: cards that the fund did not cover, and an award whose response was lost. */
function unfinishedJobs(members: Members, seededAt: number): PastJob[] {
  const cards = members.slice(40, 46).map(({ member }, at): PastRow => {
    const card = { denomination: 100, cardId: "card_bunnings", externalRef: `NPS-${2301 + at}` }
    return {
      input: { member: recipient(member), ...card },
      label: nameOf(member),
      state: "planned",
      attempts: 0,
    }
  })
  const awards = members.slice(11, 12).map(({ member }): PastRow => {
    const input = { member_id: member.id, points: 150, reason: "Training: quoting ducted systems" }
    // Nothing proves that the ledger is up to date, so only a person can decide.
    const lookups = [178, 176].map((ago) => seededAt - ago * minute)
    return { input, label: nameOf(member), state: "conflict", outcome: rowOutcome("no_canary"), lookups }
  })
  const jobs: PastJob[] = [
    {
      kind: "giftcard",
      at: seededAt - 26 * 60 * minute,
      by: personOf("admin"),
      rows: cards,
      pause: { code: "INSUFFICIENT_FUND", message: "The program fund balance is too low" },
      file: { name: "nps-thank-you.csv", fingerprint: "past-nps-thank-you" },
    },
    { kind: "award", at: seededAt - 3 * 60 * minute, by: personOf("manager"), rows: awards },
  ]
  return jobs.filter(({ rows }) => rows.length > 0)
}

/** Notes on members and orders that people open first. */
function pastNotes(members: Members, orders: readonly OrderRecord[]): Note[] {
  const order = orders.findLast(({ status, type }) => status === "processing" && type === "physical")
  const memberAt = (at: number) => members[at]?.member.id
  const notes: readonly (readonly [Note["kind"], string | undefined, Role, string])[] = [
    ["member", memberAt(0), "manager", "Runs the Maroochydore branch. Prefers calls before 9 am."],
    ["member", memberAt(4), "admin", "Wants statements by post once a quarter."],
    ["member", memberAt(11), "manager", "Asked about the missing training points. Ledger checked with him."],
    [
      "order",
      order?.id,
      "fulfilment",
      "Recipient is at the site office until 3 pm. Ring the bell at gate 2.",
    ],
  ]
  const last = members[0]?.ledger.at(-1)?.created ?? 0
  return notes.flatMap(([kind, id, role, text], at) => {
    const saved_at = isoTime(last - (3 + 9 * at) * day)
    return id === undefined ? [] : [{ kind, id, text, version: 1, saved_at, saved_by: personOf(role).name }]
  })
}

function auditEntry(at: number, person: Person, action: AuditAction, on: AuditEntry["on"]): AuditEntry {
  const { id, name, role } = person
  const area = action === "session.sign_in" ? "app" : "program"
  const fixed = { outcome: "done", note: null, request_id: "past", source: null } as const
  return {
    id: `past-${id}-${at}`,
    at: isoTime(at),
    actor: { id, name, role },
    action,
    area,
    on,
    changes: [],
    ...fixed,
  }
}

function noteEntry({ kind, id, saved_at, saved_by }: Note): AuditEntry {
  const person = demoPeople.find(({ name }) => name === saved_by) ?? personOf("manager")
  return auditEntry(Date.parse(saved_at ?? ""), person, "note.save", { kind, id, label: null })
}

/** Sign-ins of the last weeks, and a viewer's exports. */
function otherEntries(seededAt: number, random: Random): AuditEntry[] {
  const signIns = demoPeople.flatMap((person) =>
    Array.from({ length: 20 }, (_, days) => {
      const at = Math.floor(seededAt - (days + 0.3 + random() * 0.1) * day)
      return auditEntry(at, person, "session.sign_in", { kind: "user", id: person.id, label: person.name })
    }),
  )
  const exports = [8, 39, 70].map((days) => {
    const on = { kind: "export", id: "members", label: null }
    return auditEntry(seededAt - days * day, personOf("viewer"), "export.create", on)
  })
  return [...signIns, ...exports]
}

/** Leaderboards as they were read: daily for a month, weekly before. */
function pastBoards(sandbox: SandboxStore) {
  const { seededAt } = sandbox.base
  const members = participants(sandbox)
  const days = Array.from({ length: 77 }, (_, at) => (at < 30 ? at + 1 : 30 + (at - 29) * 7))
  // The last board has no readable rows.
  return boards.slice(0, -1).flatMap((board) =>
    days.map((ago) => {
      const at = seededAt - ago * day
      // Movement compares the places of the last days, the chart the first ten.
      const sent = rankedAt(members, board, at, ago > 8 ? 10 : 50)
      return { board: board.id, at, places: sent.length, complete: false, sent }
    }),
  )
}
