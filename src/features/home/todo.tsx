import { Box, Group, Stack, Button } from "@mantine/core"
import {
  IconAlertTriangle,
  IconChevronRight,
  IconCircleCheck,
  IconClockHour4,
  IconHelpCircle,
  IconPackage,
  IconX,
} from "@tabler/icons-react"
import { useQuery, type UseQueryResult } from "@tanstack/react-query"
import { Link } from "@tanstack/react-router"
import { limits } from "../../../contract/limits.ts"
import type { Job } from "../../../contract/job.ts"
import type { Member } from "../../../contract/program/member.ts"
import type { Order } from "../../../contract/program/order.ts"
import { type Notice, noticeDays } from "../../../contract/notices.ts"
import { isLowOnStock, type Reward } from "../../../contract/program/reward.ts"
import { jobsQuery } from "../../api/jobs.ts"
import { noticesQuery, useDismissFailures } from "../../api/notices.ts"
import type { OrdersToShip } from "../../api/orders.ts"
import type { RowParts } from "../../api/paging.ts"
import type { ApiResponse } from "../../api/request.ts"
import { useCan, useLowStock, useSession } from "../../api/session.ts"
import { type Home, useKnownName } from "./home-data.ts"
import { counted, formatCount } from "../../lib/format.ts"
import { jobTitle } from "../../lib/job-title.ts"
import { fullName } from "../../lib/names.ts"
import { millis, shortDay } from "../../lib/time.ts"
import { ErrorNotice } from "../../ui/notice.tsx"
import { focusHeading, useServerNow } from "../../ui/hooks.ts"
import { IconButton } from "../../ui/button.tsx"
import { type NoticeLine, noticeLine } from "../../ui/notice-line.ts"
import classes from "./home.module.css"

/** What needs doing now, each line a link to its page; most urgent first. */
export function TodoList({ home }: { home: Home }) {
  const lines = useLines(home)
  // Lines that come in between would move the others below a click.
  const isQuickLoading = lines.some((line) => line.isQuick === true && isLoading(line))
  const nothing = lines.every(({ query, todos }) => query.data !== undefined && todos.length === 0)
  return (
    <section aria-label="Needs attention">
      <h2 className="visually-hidden">Needs attention</h2>
      {nothing ? (
        <p className={`${classes.todo} line-below text-secondary`}>
          <IconCircleCheck size={18} stroke={1.75} aria-hidden data-tone="success" className="tone-mark" />
          You’re all caught up.
        </p>
      ) : (
        <ul>
          {lines.map((line) => (
            <Line key={line.failed} {...line} waits={isQuickLoading} />
          ))}
        </ul>
      )}
    </section>
  )
}

const isLoading = ({ query }: Line) => query.data === undefined && query.error === null

/** `waits`: it is not shown yet, for a line that may come above it. */
function Line({ waits, ...line }: Line & { waits: boolean }) {
  const { query, failed, todos, isQuick } = line
  if (waits || isLoading(line)) {
    if (isQuick === true) return null
    return (
      <li className={`${classes.todo} line-below`}>
        <span className="visually-hidden">Loading…</span>
        <span className={classes.todoIcon} aria-hidden />
        <span className="skeleton" style={{ width: 240 }} aria-hidden />
      </li>
    )
  }
  if (query.data === undefined) {
    return (
      <Box component="li" py={8} className="line-below">
        <ErrorNotice error={query.error} what={failed} onRetry={query.refetch} />
      </Box>
    )
  }
  return todos.map((todo) => <TodoLine key={`${todo.title} ${JSON.stringify(todo.link)}`} {...todo} />)
}

function TodoLine({ icon: Icon, tone, title, about, link, label, first = false, failedJob }: Todo) {
  const dismiss = useDismissFailures()
  return (
    <Group component="li" gap={8} wrap="nowrap" className="line-below">
      <Link {...link} className={`hover-fill grow ${classes.todo}`}>
        <span className={classes.todoIcon} data-tone={tone}>
          <Icon size={18} stroke={1.75} aria-hidden />
        </span>
        <Stack component="span" gap={0} className="grow">
          <Box component="span" fz="var(--l-fs-body)" className="l-strong">
            {title}
          </Box>
          <span className="text-secondary truncate" title={about}>
            {about}
          </span>
        </Stack>
        <Button component="span" visibleFrom="sm" variant={first ? "filled" : "default"}>
          {label}
        </Button>
        <Box hiddenFrom="sm" className="text-muted">
          <IconChevronRight size={16} stroke={1.75} aria-hidden />
        </Box>
      </Link>
      {failedJob !== undefined && (
        <IconButton
          label="Dismiss"
          icon={<IconX size={16} stroke={1.75} />}
          disabled={dismiss.isPending}
          onClick={() => {
            focusHeading()
            dismiss.mutate(failedJob)
          }}
        />
      )}
    </Group>
  )
}

interface Todo extends NoticeLine {
  readonly first?: boolean
  /** The job whose failed rows the user may dismiss. */
  readonly failedJob?: string
}

/** One line: its query, its error text, and its to-do, if any. */
interface Line {
  readonly query: Pick<UseQueryResult, "data" | "error" | "refetch">
  readonly failed: string
  readonly todos: readonly Todo[]
  /** Comes from Laurel's own store, and is usually empty: no place is kept for it, and the other lines wait for it. */
  readonly isQuick?: boolean
}

function lineOf<T>(query: UseQueryResult<T>, failed: string, todoOf: (data: T) => Todo | undefined): Line {
  return linesOf(query, failed, (data) => [todoOf(data)].filter((todo) => todo !== undefined))
}

function linesOf<T>(query: UseQueryResult<T>, failed: string, todosOf: (data: T) => readonly Todo[]): Line {
  return { query, failed, todos: query.data === undefined ? [] : todosOf(query.data) }
}

function useLines({ parts, orders, rewards, pending }: Home): readonly Line[] {
  const nameOf = useKnownName()
  const now = useServerNow("half-minute")
  const seesJobs = useCan("jobs.read")
  const decides = useCan("jobs.control")
  const ships = useCan("orders.update")
  const { program } = useSession()
  const jobs = useQuery({ ...jobsQuery({ state: "attention" }), enabled: seesJobs })
  const notices = useQuery(noticesQuery)

  const types = new Map(rewards.data?.data.flatMap(({ id, type }) => (type ? [[id, type]] : [])))
  const toShip = lineOf(orders, "Couldn’t load the orders.", (queue) =>
    ordersTodo(queue, { now, ships, nameOf, types }),
  )
  const lines: readonly (Line | false)[] = [
    // Digital orders are known only from the catalogue: the count waits for it, so that it does not change.
    parts.orders && (rewards.isLoading ? { ...toShip, query: rewards } : toShip),
    seesJobs && {
      ...lineOf(jobs, "Couldn’t load the jobs.", (part) => jobsTodo(part, decides)),
      isQuick: true,
    },
    {
      ...linesOf(notices, "Couldn’t load what else needs attention.", (all) =>
        noticeTodos(all, { acts: decides, currency: program.currency }),
      ),
      isQuick: true,
    },
    parts.rewards && lineOf(rewards, "Couldn’t load the rewards.", rewardsTodo),
    parts.members && lineOf(pending, "Couldn’t count pending members.", (page) => pendingTodo(page, now)),
  ]
  return lines.filter((line) => line !== false)
}

/** "3 rows need a decision", or the paused jobs; a link to view them for roles that cannot decide. */
export function jobsTodo({ rows: jobs, more }: RowParts<Job>, decides: boolean): Todo | undefined {
  const [newest] = jobs
  if (newest === undefined) return undefined
  const rows = jobs.reduce((sum, { attention }) => sum + attention, 0)
  const paused = jobs.filter(({ attention }) => attention === 0).length
  const single = jobs.length === 1 && !more
  const needed = rows > 0 ? "Decide" : "Resume"
  const parts = [
    rows > 0 && `${counted(rows, "row", { more })} ${rows === 1 && !more ? "needs" : "need"} a decision`,
    paused > 0 && `${counted(paused, "job", { more })} ${paused === 1 && !more ? "is" : "are"} paused`,
  ]
  return {
    icon: IconHelpCircle,
    tone: "warning",
    title: parts.filter(Boolean).join(", "),
    about: single
      ? `${jobTitle(newest)}, by ${newest.created_by.name}`
      : `In ${counted(jobs.length, "job", { more })}, the newest ${jobTitle(newest)}`,
    link: single
      ? { to: "/jobs/$jobId", params: { jobId: newest.id } }
      : { to: "/jobs", search: { state: "attention" } },
    label: decides ? needed : "Open",
  }
}

const failuresShown = 3
const conditions: ReadonlySet<Notice["kind"]> = new Set(["key", "fund", "drift", "books"])

/** To-dos from Laurel's notices, most urgent first; of jobs with failed rows only the newest. */
function noticeTodos(notices: readonly Notice[], of: { acts: boolean; currency: string }): readonly Todo[] {
  const others = notices.filter(({ kind }) => conditions.has(kind))
  const failed = notices.flatMap((each) => (each.kind === "failed" ? [each] : []))
  const more = failed.length - failuresShown
  return [
    ...others.map((each) => noticeLine(each, of)),
    ...failed.slice(0, failuresShown).map((each) => ({
      ...noticeLine(each, of),
      ...(of.acts && { failedJob: each.job.id }),
    })),
    ...(more > 0 ? [moreFailures(more)] : []),
  ]
}

function moreFailures(count: number): Todo {
  return {
    icon: IconAlertTriangle,
    tone: "warning",
    title: `${counted(count, "more job")} with rows not done`,
    about: `In the last ${noticeDays} days`,
    link: { to: "/jobs", search: { state: "failed" } },
    label: "Activity",
  }
}

interface OrdersTodoContext {
  readonly now: number
  /** Types of rewards by id: the list response has no types. */
  readonly types: ReadonlyMap<string, string>
  readonly nameOf: (memberId: string) => string | undefined
  readonly ships: boolean
}

/** "14 orders to ship", with the longest waiting one. */
export function ordersTodo(queue: OrdersToShip, context: OrdersTodoContext): Todo | undefined {
  const parcels = queue.orders.filter((order) => typeOf(order, context.types) !== "digital")
  const [oldest] = parcels
  if (oldest === undefined) return undefined
  return {
    icon: IconPackage,
    tone: "info",
    title: `${counted(parcels.length, "order")} to ship`,
    about: `Oldest ${aboutOldest(oldest, context)}`,
    ...(context.ships
      ? { link: { to: "/orders/ship" }, label: "Ship desk", first: true }
      : { link: { to: "/orders", search: { status: "to-ship" } }, label: "Orders" }),
  }
}

function typeOf({ fulfillment, reward_id }: Order, types: ReadonlyMap<string, string>): string | undefined {
  return (fulfillment?.type ?? types.get(reward_id ?? ""))?.toLowerCase()
}

function aboutOldest(order: Order, { now, nameOf }: OrdersTodoContext): string {
  const at = millis(order.created_at ?? "")
  const who = nameOf(order.member_id ?? "")
  const what = `${order.reward_name || order.order_id}${who === undefined ? "" : ` for ${who}`}`
  return Number.isNaN(at) ? `is ${what}` : `waits ${waitLabel(now - at)}: ${what}`
}

/** How long something has waited, in its largest unit: `4 days`, `3 hours`, `35 minutes`. */
export function waitLabel(ms: number): string {
  const minutes = Math.max(0, Math.floor(ms / 60_000))
  if (minutes < 60) return counted(minutes, "minute")
  const hours = Math.floor(minutes / 60)
  return hours < 24 ? counted(hours, "hour") : counted(Math.floor(hours / 24), "day")
}

/** "6 members are pending", with the longest waiting one of those that were read. */
export function pendingTodo({ data, meta }: ApiResponse<Member[]>, now: number): Todo | undefined {
  const total = meta?.total ?? data.length
  if (total === 0) return undefined
  const [oldest] = data
    .map((member) => ({ member, at: millis(member.created_at ?? "") }))
    .filter(({ at }) => !Number.isNaN(at))
    .toSorted((one, other) => one.at - other.at)
  const more = meta?.total === undefined
  const who = oldest && [fullName(oldest.member), oldest.member.company].filter(Boolean).join(", ")
  const which = total > data.length ? `The oldest of ${data.length} read` : "Oldest"
  return {
    icon: IconClockHour4,
    tone: "grey",
    title: `${counted(total, "member", { more })} ${total === 1 && !more ? "is" : "are"} pending`,
    about: oldest === undefined ? "" : `${which}: ${who}, since ${shortDay(oldest.at, now)}`,
    link: { to: "/members", search: { status: "pending" } },
    label: "Members",
  }
}

const named = 3

/** "3 rewards are short": offered rewards with low or no stock, fewest pieces first. */
export function rewardsTodo({ data, meta }: ApiResponse<Reward[]>): Todo | undefined {
  const low = useLowStock.getState().level
  const short = data
    .flatMap((reward) =>
      isLowOnStock(reward, low) ? [{ reward, stock: Math.max(0, reward.stock ?? 0) }] : [],
    )
    .toSorted((one, other) => one.stock - other.stock)
  const [first] = short
  if (first === undefined) return undefined
  const unread = meta?.total === undefined ? data.length >= limits.perPage.max : meta.total > data.length
  const names = short.slice(0, named).map(({ reward, stock }) => {
    return `${reward.name || reward.id} ${stock === 0 ? "is out" : `has ${formatCount(stock)}`}`
  })
  const others = short.length - names.length
  return {
    icon: IconAlertTriangle,
    tone: "warning",
    title: `${counted(short.length, "reward", { more: unread })} low on stock`,
    about: [...names, ...(others > 0 ? [`${formatCount(others)} more`] : [])].join("; "),
    link:
      short.length === 1 && !unread
        ? { to: "/rewards/$rewardId", params: { rewardId: first.reward.id } }
        : { to: "/rewards", search: { view: "table", per_page: limits.perPage.max, sort: "stock" } },
    label: "Rewards",
  }
}
