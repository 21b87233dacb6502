import { Box, Group, Stack } from "@mantine/core"
import { useQuery } from "@tanstack/react-query"
import { Link } from "@tanstack/react-router"
import { useEffect, useRef } from "react"
import type { Notice } from "../../contract/notices.ts"
import { noticesQuery, useReadNotices } from "../api/notices.ts"
import { unreadQuery } from "../api/shell.ts"
import { sessionQuery, useCan, useSession } from "../api/session.ts"
import { notifyBrowser } from "../lib/browser-notices.ts"
import { noticeLine } from "../ui/notice-line.ts"
import { ErrorNotice } from "../ui/notice.tsx"
import { QueryState } from "../ui/query-state.tsx"
import { RelativeTime } from "../ui/values.tsx"
import classes from "./top-bar.module.css"
import { Button } from "../ui/button.tsx"

/** Shows browser notifications for new notices; `useJobNews` covers the user's own jobs. */
export function BrowserNotices() {
  // This chunk loads late: the user may have signed out meanwhile.
  const { data: session } = useQuery(sessionQuery)
  return session ? <NewNotices /> : null
}

function NewNotices() {
  const { data } = useQuery(noticesQuery)
  const lineOf = useLine()
  const me = useSession().user.id
  const known = useRef<ReadonlySet<string>>(undefined)
  useEffect(() => {
    if (data === undefined) return
    const before = known.current
    known.current = new Set(data.map(({ key }) => key))
    for (const notice of data) {
      const isOwn = "job" in notice && notice.job.created_by.id === me
      if (before === undefined || before.has(notice.key) || notice.read || isOwn) continue
      const { title, about } = lineOf(notice)
      const page = "job" in notice ? `jobs/${encodeURIComponent(notice.job.id)}` : ""
      notifyBrowser({ tag: notice.key, title, body: about, page })
    }
  }, [data, me, lineOf])
  return null
}

function useLine() {
  const acts = useCan("jobs.control")
  const { currency } = useSession().program
  return (notice: Notice) => noticeLine(notice, { acts, currency })
}

/** Notices about problems and the user's finished jobs, newest first, each with its next step. */
export function NoticesPanel({ onClose }: { onClose: () => void }) {
  const query = useQuery({ ...noticesQuery, staleTime: 0 })
  // The bell shows the same count as the list.
  useQuery({ ...unreadQuery, staleTime: 0 })
  const reading = useReadNotices()
  const lineOf = useLine()
  const unread = query.data?.filter(({ read }) => !read).map(({ key }) => key) ?? []
  return (
    <Stack gap="sm">
      <Group justify="space-between" wrap="nowrap">
        <h2 className="small-heading">Notifications</h2>
        <Button
          size="xs"
          variant="subtle"
          disabled={unread.length === 0}
          loading={reading.isPending}
          onClick={() => reading.mutate(unread)}
        >
          Mark all as read
        </Button>
      </Group>
      <ErrorNotice error={reading.error} what="Couldn’t mark them as read." />
      <QueryState query={query} noun="notifications" rows={3} columns={[240]}>
        {(notices) =>
          notices.length === 0 ? (
            <p className="text-secondary">Nothing needs attention, and no job finished in 30 days.</p>
          ) : (
            <ul className="line-above ruled">
              {notices.map((notice) => {
                const { icon: Icon, tone, title, about, link, label } = lineOf(notice)
                return (
                  <li key={notice.key}>
                    <Link
                      {...link}
                      className={`hover-fill ${classes.notice}`}
                      data-unread={!notice.read || undefined}
                      onClick={() => {
                        if (!notice.read) reading.mutate([notice.key])
                        onClose()
                      }}
                    >
                      <Icon size={18} stroke={1.75} aria-hidden data-tone={tone} className="tone-mark" />
                      <Stack component="span" gap={0} className="grow wrap-anywhere">
                        <span className={notice.read ? undefined : "l-strong"}>
                          {title}
                          {!notice.read && <span className="visually-hidden"> (unread)</span>}
                        </span>
                        <span className="text-secondary l-meta">{about}</span>
                        <Group component="span" gap="xs" className="l-meta">
                          <span className="l-link">{label}</span>
                          {"at" in notice && <RelativeTime at={notice.at} className="text-muted" />}
                        </Group>
                      </Stack>
                      <Box component="span" className={classes.dot} aria-hidden />
                    </Link>
                  </li>
                )
              })}
            </ul>
          )
        }
      </QueryState>
    </Stack>
  )
}
