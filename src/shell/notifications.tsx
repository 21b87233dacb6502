import { Group, Stack } from "@mantine/core"
import { useHotkeys } from "@mantine/hooks"
import { IconAlertTriangle, IconCircleCheck, IconInfoCircle, IconX } from "@tabler/icons-react"
import { Link, useLocation, useSearch } from "@tanstack/react-router"
import { type FocusEvent, useEffect, useEffectEvent, useLayoutEffect, useRef } from "react"
import { type Followed, useFollowedJobs, isPlain, unfollowJob } from "../forms/followed-jobs.ts"
import { jobAddress } from "../forms/job-link.tsx"
import { type OneRow, type RowStatus, useOneRow } from "../forms/one-row.ts"
import { asSentence } from "../lib/format.ts"
import {
  dismiss,
  notify,
  type Notification,
  useNotifications,
  undoNotification,
} from "../lib/notifications.ts"
import { IconButton } from "../ui/icon-button.tsx"
import { useTitleNotice } from "./job-news.ts"
import classes from "./notifications.module.css"
import { Button } from "../ui/button.tsx"

/** Notifications in the corner above the page. They take no focus; the key N moves there. */
export function Notifications() {
  const pathname = useLocation({ select: (at) => at.pathname })
  const all = useNotifications((state) => state.notifications)
  const shown = all.filter(({ seenAt }) => seenAt !== pathname)
  const followed = useFollowedJobs((state) => state.jobs)
  // The page of a notification already shows its content.
  useEffect(() => {
    for (const { id, seenAt } of all) if (seenAt === pathname) dismiss(id)
  }, [all, pathname])
  const region = useRef<HTMLDivElement>(null)
  const cameFrom = useRef<Element>(null)
  useTitleNotice(shown.findLast(({ windowTitle }) => windowTitle !== undefined)?.windowTitle)
  useHotkeys([
    ["n", () => region.current?.querySelector<HTMLElement>(":scope > :last-child button")?.focus()],
  ])
  const onFocus = ({ currentTarget, relatedTarget }: FocusEvent) => {
    if (relatedTarget !== null && !currentTarget.contains(relatedTarget)) cameFrom.current = relatedTarget
  }
  const onLeft = () => {
    const back = cameFrom.current
    if (back instanceof HTMLElement && back.isConnected) back.focus({ preventScroll: true })
  }
  return (
    <>
      <div ref={region} className={`${classes.notifications} hide-empty no-print`} onFocus={onFocus}>
        {shown.map((one) => (
          <NotificationCard
            key={one.id}
            notification={one}
            here={one.link?.to === pathname}
            onLeft={onLeft}
          />
        ))}
      </div>
      {[...followed].map(([jobId, each]) => (
        <Follow key={jobId} jobId={jobId} followed={each} />
      ))}
    </>
  )
}

const icons = { info: IconInfoCircle, success: IconCircleCheck, warning: IconAlertTriangle } as const

function NotificationCard(props: { notification: Notification; here: boolean; onLeft: () => void }) {
  const { notification: one, here, onLeft } = props
  const { id, tone, title, text, link, undo } = one
  const Icon = icons[tone]
  const box = useRef<HTMLDivElement>(null)
  useLeaving(one, box)
  const leave = useEffectEvent(onLeft)
  useLayoutEffect(() => {
    const shown = box.current
    return () => {
      if (shown?.contains(document.activeElement) === true) leave()
    }
  }, [])
  return (
    <Group ref={box} align="flex-start" gap={10} wrap="nowrap" className={classes.notification}>
      <Icon size={18} stroke={1.75} aria-hidden className="tone-mark" data-tone={tone} />
      <Stack gap={2} className="grow wrap-anywhere">
        <span className="l-medium">{title}</span>
        {text !== undefined && <span className="text-secondary">{text}</span>}
        <Group gap={12} mt={undo === undefined ? 0 : 6}>
          {undo !== undefined && (
            <Button
              size="xs"
              onClick={({ detail }) => {
                // The button is removed: after a key press the focus stays in the notification.
                if (detail === 0) box.current?.querySelector<HTMLElement>(":scope > button")?.focus()
                void undoNotification(one)
              }}
            >
              Undo
            </Button>
          )}
          {link !== undefined && !here && (
            <Link to={link.to} className="l-link" onClick={() => dismiss(id)}>
              {link.label}
            </Link>
          )}
        </Group>
      </Stack>
      <IconButton label="Dismiss" icon={<IconX size={16} stroke={1.75} />} onClick={() => dismiss(id)} />
    </Group>
  )
}

/** How long a notification without an action is shown, in ms; paused while it is hovered, focused or hidden. */
const lasting = 12_000
const step = 500

function useLeaving(one: Notification, box: { readonly current: HTMLElement | null }): void {
  useEffect(() => {
    if (one.stays === true) return undefined
    let left = lasting
    const timer = setInterval(() => {
      const { current } = box
      const paused = current?.parentElement?.matches(":hover, :focus-within") === true
      const hidden = current !== null && getComputedStyle(current).visibility === "hidden"
      if (!paused && !hidden && document.visibilityState === "visible") left -= step
      if (left <= 0) dismiss(one.id)
    }, step)
    return () => clearInterval(timer)
  }, [one, box])
}

/** Notifies of the outcome of a one-row job, unless its drawer or page is open. */
function Follow({ jobId, followed }: { jobId: string; followed: Followed }) {
  const { one } = useOneRow(jobId)
  const pathname = useLocation({ select: (at) => at.pathname })
  const { job, outcome } = useSearch({ strict: false })
  const page = jobAddress(jobId)
  const read = [job, outcome].includes(jobId) || pathname === page
  const update = useEffectEvent((status: RowStatus | undefined, isRead: boolean) => {
    if (one === undefined || status === undefined) return
    const { id = jobId, doing, confirmed } = followed
    // The page itself shows newer information.
    if (isRead) dismiss(id)
    if (status === "confirmed") {
      if (!isRead || isPlain(one)) notify({ ...confirmed(one), id, tone: "success" })
      unfollowJob(jobId)
      return
    }
    const text = troubles[status]?.(one)
    const label = status === "absent" || status === "conflict" ? "Decide" : "Open the job"
    if (text !== undefined && !isRead) {
      notify({
        id,
        tone: "warning",
        title: doing,
        text,
        link: { to: page, label },
        seenAt: page,
        stays: true,
      })
    }
    if (status === "failed" || status === "cancelled") unfollowJob(jobId)
  })
  const status = one?.status
  useEffect(() => update(status, read), [status, read])
  return null
}

/** Why a row needs attention; undefined for one in progress. */
const troubles: Readonly<Partial<Record<RowStatus, (one: OneRow) => string>>> = {
  failed: ({ row }) => `Not done. ${asSentence(row.outcome?.message ?? "The service refused it.")}`,
  cancelled: () => "Cancelled. Nothing was sent.",
  late: () => "It wasn’t sent within a minute and waits for your word.",
  stopped: ({ job }) => job.pause?.message ?? "The job is paused.",
  unknown: () => "Outcome not known yet. It is being looked up and isn’t sent again before that.",
  absent: () => "It didn’t happen. Decide whether to send it again.",
  conflict: () => "Needs you.",
}
