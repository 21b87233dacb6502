import { useDebouncedValue } from "@mantine/hooks"
import {
  type DataTag,
  type QueryClient,
  type QueryKey,
  useQuery,
  useQueryClient,
} from "@tanstack/react-query"
import type { RegisteredCard } from "../../contract/cards.ts"
import type { Job } from "../../contract/job.ts"
import { limits } from "../../contract/limits.ts"
import type { Member } from "../../contract/program/member.ts"
import { type Order, shipmentOf } from "../../contract/program/order.ts"
import type { Reward } from "../../contract/program/reward.ts"
import type { Session } from "../../contract/users.ts"
import { useParcelLink } from "../api/carriers.ts"
import { cardQuery, cardsQuery } from "../api/gift-cards.ts"
import { jobQuery, jobsInCache } from "../api/jobs.ts"
import { leaderboardsQuery } from "../api/leaderboards.ts"
import { memberNamesQuery, memberQuery } from "../api/members.ts"
import { orderQuery, ordersInCache, ordersQuery, usedNumbersQuery } from "../api/orders.ts"
import { everyRewardQuery, rewardQuery, rewardsInCache, rewardsQuery } from "../api/rewards.ts"
import { useCan, useSession } from "../api/session.ts"
import { useMemberSuggestions } from "../forms/member-suggestions.ts"
import { ApiError } from "../lib/errors.ts"
import { plainNumber } from "../../contract/orders.ts"
import { parcelNumber } from "../../contract/parcel-number.ts"
import { jobTitle } from "../lib/job-title.ts"
import { fullName } from "../lib/names.ts"
import { namedOrder, orderFinder, shortOrder } from "../lib/order-ids.ts"
import { boardsOf } from "../lib/ranking/boards.ts"
import { type RecordKind, recentRecords, type RecordRef } from "../lib/recent-records.ts"
import { statusText } from "../ui/status.tsx"
import { actionIn, type Found, isNamed, isReference, jobNamed, type KnownRecord } from "./palette-items.ts"
import { canSee, type PaletteItem, parcelItem, recordItem } from "./palette-items.ts"

const memberItem = (member: Member) => ({
  ...recordItem({ kind: "member", id: member.id }, fullName(member)),
  member,
})
const orderItem = (order: Order) => {
  const { order_id: id, reward_name: reward, status } = order
  const known = [reward, status && statusText("order", status).word].filter(Boolean).join(", ")
  return { ...recordItem({ kind: "order", id }, id, known || undefined), order }
}
const cardItem = ({ id, member, reference, own_reference: own }: RegisteredCard) =>
  recordItem({ kind: "card", id }, own ?? reference ?? id, member.name ?? member.email ?? undefined)
const jobItem = (job: Job) => ({ ...recordItem({ kind: "job", id: job.id }, job.id, jobTitle(job)), job })
const rewardItem = ({ id, name }: Reward) => recordItem({ kind: "reward", id }, name || id)

/** The leaderboards this browser has read, as far as they can be opened. */
function boardItems(client: QueryClient): PaletteItem[] {
  const boards = boardsOf(client.getQueryData(leaderboardsQuery().queryKey)?.data) ?? []
  return boards.flatMap(({ id, name }) => (id === null ? [] : recordItem({ kind: "board", id }, name ?? id)))
}

const isNotFound = (error: unknown) => error instanceof ApiError && error.status === 404

/** A record as this browser holds it, else by its id; undefined for one that the service said is not there. */
function heldItem(client: QueryClient, record: RecordRef): PaletteItem | undefined {
  const { kind, id } = record
  const held = <T>(queryKey: DataTag<QueryKey, T, Error>, itemOf: (data: T) => PaletteItem) => {
    const { data, error } = client.getQueryState<T>(queryKey) ?? {}
    if (isNotFound(error)) return undefined
    return data === undefined ? recordItem(record) : itemOf(data)
  }
  switch (kind) {
    case "member":
      return held(memberQuery(id).queryKey, ({ data }) => memberItem(data))
    case "order":
      return held(orderQuery(id).queryKey, ({ data }) => orderItem(data))
    case "card":
      return held(cardQuery(id).queryKey, ({ data }) => cardItem(data))
    case "job":
      return held(jobQuery(id).queryKey, jobItem)
    case "reward":
      return held(rewardQuery(id).queryKey, ({ data }) => rewardItem(data))
    default:
      return boardItems(client).find((board) => board.record?.id === id) ?? recordItem(record)
  }
}

const most = { recent: 6, ofAKind: 4 }

/** The records somebody opened last, without a request and without the one that is open. */
export function recentItems(
  client: QueryClient,
  session: Session,
  open: RecordRef | undefined,
): PaletteItem[] {
  return recentRecords(session.user.id)
    .filter(({ kind, id }) => canSee(session, kind) && (kind !== open?.kind || id !== open.id))
    .flatMap((record) => heldItem(client, record) ?? [])
    .slice(0, most.recent)
}

/** What is known of a record whose actions are shown; an order or a job that this browser does not hold is read. */
export function useKnownRecord({ kind, id }: RecordRef): KnownRecord {
  const how = { staleTime: Infinity, retry: false }
  const order = useQuery({ ...orderQuery(id), ...how, enabled: kind === "order" }).data?.data
  const job = useQuery({ ...jobQuery(id), retry: false, enabled: kind === "job" }).data
  const { tracking_number, carrier } = shipmentOf(order ?? {})
  return { order, job, parcel: useParcelLink(tracking_number, carrier) }
}

/** More rewards than these are not read for a search: it would take requests that others wait for. */
const mostRewards = 500

/**
 * What is found for a text besides actions and pages. Members, and an order by its id, may cost a request of the service,
 * and so do the lists of rewards and leaderboards where neither this browser nor Laurel's server holds them; tracking
 * numbers, cards and jobs are asked of Laurel's own server.
 */
export function useFound(text: string) {
  const client = useQueryClient()
  const session = useSession()
  const [rested] = useDebouncedValue(text, 200)
  const wordsOf = (kind: RecordKind, typed = text) => actionIn(session, kind, typed).words
  const hits = useMemberSuggestions(wordsOf("member"), useCan("members.search"))
  const orders = useOrderHits(wordsOf("order"), wordsOf("order", rested), !useCan("members.search"))
  const cards = useCardHits(wordsOf("card"), wordsOf("card", rested))
  const job = useJobHit(wordsOf("job"), wordsOf("job", rested))
  const seesRewards = canSee(session, "reward")
  const seesBoards = canSee(session, "board")
  const isLong = rested.length > 1
  const firstRewards = useQuery({
    ...rewardsQuery({ page: 1, per_page: limits.perPage.max }),
    enabled: seesRewards && isLong,
    retry: false,
  })
  const { total = 0 } = firstRewards.data?.meta ?? {}
  const isMore = total > limits.perPage.max && total <= mostRewards
  const moreRewards = useQuery({ ...everyRewardQuery(), enabled: isMore && isLong, retry: false })
  const rewards = isMore ? moreRewards : firstRewards
  const boards = useQuery({ ...leaderboardsQuery(), enabled: seesBoards && isLong, retry: false })
  const listOf = (
    label: string,
    allowed: boolean,
    { data, error }: Pick<typeof boards, "error"> & { data: unknown },
  ) => {
    const awaited = allowed && text.length > 1 && data === undefined
    return { label, loading: awaited && error === null, error: awaited ? error : null }
  }
  const lists = [listOf("rewards", seesRewards, rewards), listOf("leaderboards", seesBoards, boards)] as const

  // A single letter begins too many names.
  const meant = <T>(kind: RecordKind, all: readonly T[], nameOf: (one: T) => string | null | undefined) => {
    const words = wordsOf(kind)
    if (!canSee(session, kind) || words.length < 2) return []
    return all.filter((one) => isNamed(nameOf(one) ?? "", words))
  }
  // Rewards by themselves go from the cache before the list that brought them.
  const held = [
    ...rewardsInCache(client),
    ...(firstRewards.data?.data ?? []),
    ...(moreRewards.data?.rows ?? []),
  ]
  const rewardsMeant = meant("reward", held, ({ name }) => name)
  const boardsMeant = meant("board", boardItems(client), ({ label }) => label)
  const jobsMeant = meant("job", jobsInCache(client), jobTitle)
  const items = (kind: RecordKind, items: readonly PaletteItem[], searching = false) => {
    return { items, searching, action: actionIn(session, kind, text).action }
  }
  const found: Found = {
    member: items("member", hits.members.map(memberItem), hits.searching),
    order: items("order", orders.items, orders.searching),
    reward: items("reward", fewOf(rewardsMeant.map(rewardItem)), lists[0].loading),
    board: items("board", fewOf(boardsMeant), lists[1].loading),
    card: items("card", cards.items, cards.searching),
    job: items("job", fewOf([...job, ...jobsMeant.map(jobItem)])),
  }
  return { found, hits, lists, ordersLooked: orders.looked }
}

/** The first few, each once. */
function fewOf(items: readonly PaletteItem[]): PaletteItem[] {
  const byId = Map.groupBy(items, ({ id }) => id)
  return [...byId.values()].flatMap((same) => same.slice(0, 1)).slice(0, most.ofAKind)
}

function useJobHit(text: string, rested: string): PaletteItem[] {
  const id = jobNamed(text)
  const allowed = useCan("jobs.read") && id !== undefined
  const how = { enabled: allowed && rested === text, retry: false }
  const { data, error } = useQuery({ ...jobQuery(id ?? "none"), ...how })
  if (!allowed || isNotFound(error)) return []
  return [{ ...(data === undefined ? recordItem({ kind: "job", id }) : jobItem(data)), named: true }]
}

function useCardHits(text: string, rested: string) {
  const allowed = useCan("cards.read") && isReference(text)
  const query = cardsQuery({ search: rested, per_page: most.ofAKind })
  const { data, isFetching } = useQuery({ ...query, enabled: allowed && rested === text, gcTime: 60_000 })
  const wanted = text.toLocaleLowerCase()
  const items = (allowed ? (data?.data ?? []) : []).flatMap((card) => {
    const names = [card.id, card.reference, card.own_reference].map((name) => name?.toLocaleLowerCase())
    if (!names.some((name) => name?.includes(wanted))) return []
    return [{ ...cardItem(card), named: names.includes(wanted) }]
  })
  return { items, searching: allowed && (rested !== text || isFetching) }
}

/** The first page of the list, as the list reads it: it shows how orders are numbered, and is warm for their page. */
const someOrders = ordersQuery({ page: 1, per_page: 25 })

/**
 * Orders by their id, whole or only its digits, and by tracking number: any part of one among the orders this browser
 * holds, a whole one among those Laurel's server knows. The document does not say how orders are numbered
 * (docs/api/program.md, Order), so the letters before the digits are those of orders that were read.
 */
function useOrderHits(typed: string, typedRested: string, byName: boolean) {
  const [text, rested] = [parcelNumber(typed), parcelNumber(typedRested)]
  const client = useQueryClient()
  const allowed = useCan("orders.read")
  const held = allowed ? ordersInCache(client) : []
  const plain = plainNumber(text)
  const isPart = plain.length >= shortest.part && held.length > 0
  const partly = isPart ? held.filter((order) => numberOf(order).includes(plain)) : []
  const exact = partly.filter((order) => numberOf(order) === plain)

  const meant = orderFinder(held.map(({ order_id: id }) => id))(text)
  const isShort = shortOrder(text) !== undefined
  const isRested = allowed && rested === text
  // Who cannot search members finds orders by the name of their member or reward, among those loaded here: no request.
  const isName = byName && typed.trim().length > 1 && /\p{L}/u.test(typed)
  const first = useQuery({ ...someOrders, enabled: isRested && isShort && held.length === 0 })
  const named = useNamedOrders(held, typed, allowed && isName)
  // Of several that fit, none is opened unasked.
  const id =
    meant.length > 1 ? undefined : (meant[0] ?? namedOrder(text, (held[0] ?? first.data?.data[0])?.order_id))
  const asksNumber =
    exact.length === 0 && (/^\d+$/.test(text) || (id === undefined && !isShort)) && isWholeNumber(text)
  const used = useQuery({ ...usedNumbersQuery([text]), enabled: isRested && asksNumber, retry: false })
  const usedOn = (asksNumber && used.data?.used) || []
  // A parcel's number is no order's id, so that request is saved.
  const asksId =
    id !== undefined && exact.length === 0 && (!asksNumber || (used.isFetched && usedOn.length === 0))
  const one = useQuery({ ...orderQuery(id ?? "none"), enabled: isRested && asksId, retry: false })
  const byId = allowed && asksId && one.error === null ? one.data?.data : undefined

  const alike = meant.length > 1 ? held.filter(({ order_id: each }) => meant.includes(each)) : []
  const orders = [...(byId === undefined ? [] : [byId]), ...alike, ...exact, ...partly, ...named]
  const shipment = orders[0] && shipmentOf(orders[0])
  const number = shipment?.tracking_number ?? usedOn[0]?.number
  const parcel = useParcelLink(number, shipment?.carrier ?? usedOn[0]?.carrier)
  const [best, ...others] = fewOf([
    ...orders.map((order) => ({ ...orderItem(order), named: order === byId || exact.includes(order) })),
    ...usedOn.map(({ order_id, number }) => {
      const item = recordItem({ kind: "order", id: order_id }, order_id, `Tracking number ${number}`)
      return { ...item, named: true }
    }),
  ])
  const track = number !== undefined && parcel !== undefined ? [parcelItem(number, parcel)] : []
  const pending = exact.length === 0 && (isShort || id !== undefined || asksNumber)
  const isFetching = first.isFetching || used.isFetching || one.isLoading
  return {
    items: best === undefined ? [] : [best, ...track, ...others],
    searching: allowed && pending && (!isRested || isFetching),
    looked: new Set(held.map(({ order_id: each }) => each)).size,
  }
}

/** Orders whose member or reward a text names. */
function useNamedOrders(held: readonly Order[], text: string, enabled: boolean): readonly Order[] {
  const ids = enabled ? held.flatMap(({ member_id: id }) => id ?? []) : []
  const names = useQuery({ ...memberNamesQuery(ids), enabled: ids.length > 0, retry: false }).data?.names
  if (!enabled) return []
  return held.filter(({ member_id: id, reward_name: reward }) =>
    isNamed([names?.get(id ?? ""), reward].filter(Boolean).join(" "), text),
  )
}

const numberOf = (order: Order) => plainNumber(shipmentOf(order).tracking_number ?? "")

/** From how many letters and digits on a text may be part of a tracking number, and a whole one. */
const shortest = { part: 5, whole: 8 }

function isWholeNumber(text: string): boolean {
  const isLong = plainNumber(text).length >= shortest.whole
  return isLong && /^[\p{L}\p{N} -]+$/u.test(text) && /(\d\D*){4}/.test(text)
}
