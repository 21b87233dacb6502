import { keepPreviousData, queryOptions } from "@tanstack/react-query"
import { ExactNumber } from "../../contract/exact-json.ts"
import {
  boardHistory,
  type BoardHistoryQuery,
  leaderboardReader,
} from "../../contract/program/leaderboard.ts"
import { leaderboardMappings, type RankingRoles } from "../../contract/settings.ts"
import { serverTime } from "../lib/time.ts"
import { apiPath, type ReadOptions, requestData, responseQuery } from "./request.ts"
import { setting } from "./settings.ts"

const schema = leaderboardReader.tolerant

/** Stale time as on the server, in ms. */
const how = { staleTime: 60_000, retryOnMount: false }

/** Every leaderboard, as received (docs/api/program.md, Leaderboards: no field is shown). */
export function leaderboardsQuery({ fresh }: ReadOptions = {}) {
  return responseQuery(["leaderboards", "list"], { path: ["program", "leaderboards"], schema, fresh }, how)
}

/** The rankings of one board, 10 to 100 rows, as received. */
export function rankingsQuery(id: string, limit: number, { fresh }: ReadOptions = {}) {
  return responseQuery(
    ["leaderboards", "rankings", id, limit],
    { path: ["program", "leaderboards", id, "rankings"], query: { limit }, schema, fresh },
    {
      ...how,
      // Rows of the same board with another limit are the placeholder.
      placeholderData: (before, query) => (query?.queryKey[2] === id ? keepPreviousData(before) : undefined),
    },
  )
}

/** Daily history of a board over the last `days` days, from Laurel's own store. No upstream request. */
export function boardHistoryQuery(id: string, days: number, limit: number) {
  return queryOptions({
    queryKey: ["leaderboards", "history", id, days, limit],
    queryFn: ({ signal }) => {
      const from = new Date(serverTime(Date.now()) - days * 86_400_000).toISOString()
      const query: BoardHistoryQuery = { from, limit }
      return requestData({
        path: apiPath("leaderboards", id, "history"),
        query,
        schema: boardHistory,
        signal,
      })
    },
    staleTime: 5 * 60_000,
  })
}

const mappings = setting("leaderboardMappings", leaderboardMappings)

/** Mappings of board fields as entered by users. */
export const leaderboardMappingsQuery = mappings.query

/** Saves the field roles of a board for all users; `roles: null` restores the automatic detection. */
export function useSaveMapping() {
  type Mapping = { readonly id: string; readonly roles: RankingRoles | null }
  return mappings.useChange(({ id, roles }: Mapping, { boards }) => {
    const others = boards.filter((board) => board.id !== id)
    return { boards: roles === null ? others : [...others, { id, roles }] }
  })
}

// The service documents lists of records without their fields (docs/api/program.md, Leaderboards). Columns are found by
// these exact names, compared without case and punctuation (`member.name`, `memberName`); others are chosen by a person.
const rankNames = ["rank", "position", "place"]
const nameNames = ["name", "fullname", "displayname", "membername", "memberfullname", "memberdisplayname"]
const firstNames = ["firstname", "memberfirstname"]
const lastNames = ["lastname", "memberlastname"]
const scoreNames = ["points", "score", "totalpoints", "totalscore"]
const memberNames = ["memberid"]
const noteNames = ["company", "membercompany"]
const boardIds = ["id", "leaderboardid"]
const boardNames = ["name", "title", "label"]

const plain = (field: string) => field.toLowerCase().replaceAll(/[^a-z0-9]/g, "")

/** The first of the fields with one of the names; earlier names go first. */
function findField(fields: readonly string[], names: readonly string[]): string | null {
  return names.flatMap((name) => fields.find((field) => plain(field) === name) ?? [])[0] ?? null
}

function findColumns(fields: readonly string[]): RankingRoles {
  const find = (names: readonly string[]) => findField(fields, names)
  const one = find(nameNames)
  const parts = [find(firstNames), find(lastNames)].filter((field) => field !== null)
  return {
    rank: find(rankNames),
    member: find(memberNames),
    name: one === null ? parts : [one],
    note: find(noteNames),
    score: find(scoreNames),
  }
}

type JsonRecord = Readonly<Record<string, unknown>>

function isRecord(value: unknown): value is JsonRecord {
  return (
    typeof value === "object" && value !== null && !Array.isArray(value) && !(value instanceof ExactNumber)
  )
}

function isRecords(data: unknown): data is readonly JsonRecord[] {
  return Array.isArray(data) && data.every(isRecord)
}

/** Values of a row by field; a field of a nested record by its path: `member.name`. */
type RowFields = ReadonlyMap<string, unknown>

function rowFields(record: JsonRecord): RowFields {
  const entries = (from: JsonRecord, path: string, depth: number): (readonly [string, unknown])[] =>
    Object.entries(from).flatMap(([key, value]) => {
      const field = `${path}${key || "(no name)"}`
      return isRecord(value) && depth < 4 ? entries(value, `${field}.`, depth + 1) : [[field, value]]
    })
  return new Map(entries(record, "", 1))
}

/** A value as sent: text as it is, anything else as JSON, nothing for null. */
export function valueText(value: unknown): string {
  if (value === null || value === undefined) return ""
  return typeof value === "string" ? value : (JSON.stringify(value) ?? "")
}

const textNumber = /^-?(?:\d+|\d{1,3}(?:,\d{3})+)(?:\.\d{1,2})?$/

/** A number, or an English one as text. Null for any other: `31.200` may be in another language. */
function toNumber(value: unknown): number | null {
  const number =
    typeof value === "string" && textNumber.test(value) ? Number(value.replaceAll(",", "")) : value
  return typeof number === "number" && Math.abs(number) <= Number.MAX_SAFE_INTEGER ? number : null
}

const scoreFormat = new Intl.NumberFormat("en-AU", { maximumFractionDigits: 6 })

/** A score with grouped digits and a true minus. */
export function formatScore(score: number): string {
  return scoreFormat.format(score).replace("-", "\u2212")
}

/** One place of a ranking. */
export interface Place {
  readonly index: number
  readonly rank: number | null
  readonly tied: boolean
  readonly leads: boolean
  readonly memberId: string | null
  readonly name: string | null
  readonly note: string | null
  readonly score: number | null
  /** As sent when it is not a number. */
  readonly scoreText: string
  /** Score as a part of the highest, 0 to 1. */
  readonly share: number | null
  /** Score less the score of the previous place. */
  readonly gap: number | null
}

export interface Ranking {
  /** `json`: not a list of records, or without known columns for a name and for a rank or score. */
  readonly view: "places" | "json" | "empty"
  readonly sent: unknown
  readonly rows: readonly RowFields[]
  readonly fields: readonly string[]
  readonly roles: RankingRoles
  readonly hasRanks: boolean
  readonly hasScores: boolean
  readonly places: readonly Place[]
}

/** Reads the response of a board's rankings with the columns chosen for it, otherwise those with known names. */
export function readRanking(sent: unknown, chosen: RankingRoles | undefined): Ranking {
  const rows = isRecords(sent) ? sent.map(rowFields) : []
  const fields = [...new Set(rows.flatMap((row) => [...row.keys()]))]
  const roles = chosen ?? findColumns(fields)
  const places = readPlaces(rows, roles)
  const hasNames = places.some(({ name, memberId }) => name !== null || memberId !== null)
  const hasRanks = rows.some((row) => toNumber(valueAt(row, roles.rank)) !== null)
  const hasScores = places.some(({ scoreText }) => scoreText !== "")
  const isEmpty = Array.isArray(sent) && sent.length === 0
  const view = isEmpty ? "empty" : hasNames && (hasRanks || hasScores) ? "places" : "json"
  return { view, sent, rows, fields, roles, hasRanks, hasScores, places }
}

const valueAt = (row: RowFields, field: string | null) => (field === null ? undefined : row.get(field))

function textAt(row: RowFields, ...fields: readonly (string | null)[]): string | null {
  const parts = fields.map((field) => valueText(valueAt(row, field)).trim())
  return parts.filter((part) => part !== "").join(" ") || null
}

/** Places in the order sent. Without ranks they are counted, and equal scores share a place. */
function readPlaces(rows: readonly RowFields[], roles: RankingRoles): Place[] {
  const scores = rows.map((row) => toNumber(valueAt(row, roles.score)))
  const highest = Math.max(0, ...scores.map((score) => score ?? 0))
  const counted = scores.map((score, index) => (score === null ? index : scores.indexOf(score)) + 1)
  const sentRanks = rows.map((row) => toNumber(valueAt(row, roles.rank)))
  const ranks = sentRanks.some((rank) => rank !== null) ? sentRanks : counted
  return rows.map((row, index) => {
    const [score = null, previous = null, rank = null] = [scores[index], scores[index - 1], ranks[index]]
    const leads = index === 0 || (rank !== null && rank === ranks[0])
    return {
      index,
      rank,
      tied: rank !== null && ranks.indexOf(rank) !== ranks.lastIndexOf(rank),
      leads,
      memberId: textAt(row, roles.member),
      name: textAt(row, ...roles.name),
      note: textAt(row, roles.note),
      score,
      scoreText: score === null ? valueText(valueAt(row, roles.score)) : formatScore(score),
      share: score === null ? null : highest === 0 ? 0 : Math.max(0, score) / highest,
      // Six decimals hide the error of binary fractions.
      gap: leads || score === null || previous === null ? null : Number((score - previous).toFixed(6)),
    }
  })
}

/** A leaderboard of the list. */
export interface Board {
  readonly id: string | null
  readonly name: string | null
  readonly rest: readonly (readonly [field: string, value: string])[]
}

/** The boards of a response; null when it is not a list of records. */
export function readBoards(sent: unknown): readonly Board[] | null {
  if (!isRecords(sent)) return null
  return sent.map((record) => {
    const fields = rowFields(record)
    const idField = findField([...fields.keys()], boardIds)
    const nameField = findField([...fields.keys()], boardNames)
    const text = (field: string | null) => valueText(field === null ? "" : fields.get(field)) || null
    const others = [...fields].filter(([field]) => field !== idField && field !== nameField)
    return {
      id: text(idField),
      name: text(nameField) ?? text(idField),
      rest: others
        .map(([field, value]) => [field, valueText(value)] as const)
        .filter(([, each]) => each !== ""),
    }
  })
}
