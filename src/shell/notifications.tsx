import {
  Notifications as MantineNotifications,
  notifications,
  useNotifications,
} from "@mantine/notifications"
import { useHotkeys } from "@mantine/hooks"
import { useLocation, useSearch } from "@tanstack/react-router"
import { useEffect, useEffectEvent, useLayoutEffect, useRef } from "react"
import { type Followed, isPlain, unfollowJob, useFollowedJobs } from "../forms/followed-jobs.ts"
import { type OneRow, type RowStatus, useOneRow } from "../forms/one-row.ts"
import { jobAddress } from "../ui/record-link.tsx"
import { asSentence } from "../lib/format.ts"
import { noteFocus, notify } from "../ui/notify.tsx"
import { useTitleNotice } from "./job-notices.tsx"

/** Notifications in the corner above the page. They take no focus; the key N moves there. */
export function Notifications() {
  const pathname = useLocation({ select: (at) => at.pathname })
  const { notifications: shown } = useNotifications()
  const followed = useFollowedJobs((state) => state.jobs)
  const region = useRef<HTMLDivElement>(null)
  // The page of a notification already shows its content.
  useLayoutEffect(() => {
    for (const { id, "data-seen-at": page } of shown)
      if (id !== undefined && page === pathname) notifications.hide(id)
  }, [shown, pathname])
  const title: unknown = shown.findLast((each) => each["data-window-title"] !== undefined)?.[
    "data-window-title"
  ]
  useTitleNotice(typeof title === "string" ? title : undefined)
  useHotkeys([
    [
      "n",
      () =>
        [...(region.current?.querySelectorAll<HTMLElement>("[role=group]") ?? [])]
          .at(-1)
          ?.querySelector("button")
          ?.focus(),
    ],
  ])
  return (
    <>
      <div ref={region} className="no-print" onFocus={noteFocus}>
        <MantineNotifications
          withinPortal={false}
          allowDragDismiss={false}
          allowScrollDismiss={false}
          notificationMaxHeight={400}
          zIndex={470}
        />
      </div>
      {[...followed].map(([jobId, each]) => (
        <Follow key={jobId} jobId={jobId} followed={each} />
      ))}
    </>
  )
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
    if (isRead) notifications.hide(id)
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
