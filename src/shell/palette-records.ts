import { useDebouncedValue } from "@mantine/hooks"
import {
  type DataTag,
  type QueryClient,
  type QueryKey,
  type UseQueryResult,
  useQuery,
  useQueryClient,
} from "@tanstack/react-query"
import type { RegisteredCard } from "../../contract/cards.ts"
import type { Job } from "../../contract/job.ts"
import type { Member } from "../../contract/program/member.ts"
import { type Order, shipmentOf } from "../../contract/program/order.ts"
import type { Reward } from "../../contract/program/reward.ts"
import type { Session } from "../../contract/users.ts"
import { useParcelLink } from "../api/carriers.ts"
import { cardQuery, cardsQuery } from "../api/gift-cards.ts"
import { jobQuery, jobsInCache } from "../api/jobs.ts"
import { leaderboardsQuery, readBoards } from "../api/leaderboards.ts"
import { memberQuery } from "../api/members.ts"
import { useOrdersByNumber } from "../api/order-lookup.ts"
import { orderQuery } from "../api/orders.ts"
import { everyRewardQuery, rewardQuery, rewardsInCache } from "../api/rewards.ts"
import { sessionCan, useSession } from "../api/session.ts"
import { useMemberSuggestions } from "../forms/member-suggestions.ts"
import { ApiError } from "../lib/errors.ts"
import { jobTitle } from "../lib/job-title.ts"
import { containsWords, fullName } from "../lib/names.ts"
import { type RecordKind, type RecordRef, recentRecords } from "../lib/recent-records.ts"
import { statusText } from "../ui/status.tsx"
import { canSee, jobIdIn, type KnownRecord, recordItem } from "./palette-items.ts"
import type { PaletteGroup, PaletteItem } from "./palette-items.ts"

const memberItem = (member: Member): PaletteItem => ({
  ...recordItem({ kind: "member", id: member.id }, fullName(member), member.company || member.email || ""),
  member,
})
const orderItem = ({ order_id: id, reward_name: reward, status }: Order) => {
  const known = [reward, status && statusText("order", status).word].filter(Boolean)
  return recordItem({ kind: "order", id }, id, known.join(", ") || undefined)
}
const cardItem = ({ id, member, reference, own_reference: own }: RegisteredCard) =>
  recordItem({ kind: "card", id }, own ?? reference ?? id, member.name ?? member.email ?? undefined)
const jobItem = (job: Job) => recordItem({ kind: "job", id: job.id }, job.id, jobTitle(job))
const rewardItem = ({ id, name }: Reward) => recordItem({ kind: "reward", id }, name || id)

function cachedBoards(client: QueryClient): PaletteItem[] {
  const boards = readBoards(client.getQueryData(leaderboardsQuery().queryKey)?.data) ?? []
  return boards.flatMap(({ id, name }) => (id === null ? [] : recordItem({ kind: "board", id }, name ?? id)))
}

const isNotFound = (error: unknown) => error instanceof ApiError && error.status === 404

/** A record with its cached name, else by its id; undefined if the service has no such record. */
function cachedItem(client: QueryClient, record: RecordRef): PaletteItem | undefined {
  const { kind, id } = record
  const from = <T>(queryKey: DataTag<QueryKey, T, Error>, toItem: (data: T) => PaletteItem) => {
    const { data, error } = client.getQueryState<T>(queryKey) ?? {}
    if (isNotFound(error)) return undefined
    return data === undefined ? recordItem(record) : toItem(data)
  }
  if (kind === "member") return from(memberQuery(id).queryKey, ({ data }) => memberItem(data))
  if (kind === "order") return from(orderQuery(id).queryKey, ({ data }) => orderItem(data))
  if (kind === "card") return from(cardQuery(id).queryKey, ({ data }) => cardItem(data))
  if (kind === "job") return from(jobQuery(id).queryKey, jobItem)
  if (kind === "reward") return from(rewardQuery(id).queryKey, ({ data }) => rewardItem(data))
  return cachedBoards(client).find((board) => board.record?.id === id) ?? recordItem(record)
}

/** The records that the user opened last, except the open one; no request. */
export function recentItems(client: QueryClient, session: Session, open: RecordRef | undefined) {
  return recentRecords(session.user.id)
    .filter(({ kind, id }) => canSee(session, kind) && (kind !== open?.kind || id !== open.id))
    .flatMap((record) => cachedItem(client, record) ?? [])
    .slice(0, 6)
}

/** What is known of the record whose actions are shown; an order or job that is not cached is read. */
export function useKnownRecord(record: RecordRef | undefined): KnownRecord {
  const id = record?.id ?? ""
  const order = useQuery({ ...orderQuery(id), staleTime: Infinity, enabled: record?.kind === "order" })
  const job = useQuery({ ...jobQuery(id), enabled: record?.kind === "job" })
  const { tracking_number: number, carrier } = shipmentOf(order.data?.data ?? {})
  return { order: order.data?.data, job: job.data, parcel: useParcelLink(number, carrier) }
}

/** Results of a kind. */
const most = 4

/** The first few, each once. */
const firstFew = (items: readonly PaletteItem[]) =>
  [...new Map(items.map((item) => [item.id, item])).values()].slice(0, most)

/** Records that match a text. Only members, rewards, leaderboards and an order's id may cost upstream requests. */
export function useRecordGroups(text: string): readonly PaletteGroup[] {
  const client = useQueryClient()
  const session = useSession()
  const [rested] = useDebouncedValue(text, 200)
  const may = (kind: RecordKind) => text.length > 1 && canSee(session, kind)
  const lookup = (enabled: boolean) => ({ enabled: enabled && rested === text, retry: false })
  const jobId = jobIdIn(text)
  const isReference = /^(?=.*[_\d-])[^\s@]{4,}$/.test(text) && jobId === undefined

  const { orders, used, ...orderSearch } = useOrdersByNumber(text, rested === text)
  const members = useMemberSuggestions(text, sessionCan(session, "members.search"))
  const rewards = useQuery({ ...everyRewardQuery(), ...lookup(may("reward")) })
  const boards = useQuery({ ...leaderboardsQuery(), ...lookup(may("board")) })
  const job = useQuery({ ...jobQuery(jobId ?? ""), ...lookup(may("job") && jobId !== undefined) })
  const register = cardsQuery({ search: text, per_page: most })
  const cards = useQuery({ ...register, ...lookup(may("card") && isReference) })
  const named = (
    kind: RecordKind,
    items: readonly PaletteItem[],
    nameOf = (item: PaletteItem) => item.label,
  ) => (may(kind) ? firstFew(items.filter((item) => containsWords(nameOf(item), text))) : [])
  const knownRewards = [...rewardsInCache(client), ...(rewards.data?.rows ?? [])].map(rewardItem)
  const knownJobs = [...(job.data ? [job.data] : []), ...jobsInCache(client)].map(jobItem)
  const usedOn = used.map(({ order_id: id, number }) =>
    recordItem({ kind: "order", id }, id, `Tracking number ${number}`),
  )
  const knownCards = isReference && !cards.isPlaceholderData ? (cards.data?.data ?? []) : []
  return [
    { ...orderSearch, label: "Orders", items: firstFew([...orders.map(orderItem), ...usedOn]) },
    { ...members, label: "Members", items: members.members.map(memberItem) },
    group("Rewards", named("reward", knownRewards), rewards),
    group("Leaderboards", named("board", cachedBoards(client)), boards),
    group(
      "Jobs",
      named("job", knownJobs, ({ label, description }) => `${label} ${description}`),
      job,
    ),
    group("Gift cards", knownCards.map(cardItem), cards),
  ]
}

const group = (label: string, items: readonly PaletteItem[], { isLoading, error }: Lookup) => {
  return { label, items, searching: isLoading, error }
}

type Lookup = Pick<UseQueryResult, "isLoading" | "error">
