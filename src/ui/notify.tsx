import { Group } from "@mantine/core"
import { type NotificationData, notifications, notificationsStore } from "@mantine/notifications"
import { IconAlertTriangle, IconCircleCheck, IconInfoCircle } from "@tabler/icons-react"
import { Link } from "@tanstack/react-router"
import { explain } from "../lib/errors.ts"
import { Button } from "./button.tsx"

/** A message in the corner of the page: something was done, or needs a person. */
export interface Notification {
  /** A later notification with the same id replaces this one. */
  readonly id: string
  readonly tone: "info" | "success" | "warning"
  readonly title: string
  readonly text?: string | undefined
  readonly link?: { readonly to: string; readonly label: string } | undefined
  /**
   * Undoes the change and returns the notification that follows; undefined if that comes later. It runs again only
   * after a refusal, so it must be idempotent.
   */
  readonly undo?: (() => Promise<Omit<Notification, "id"> | undefined>) | undefined
  /** Until it is dismissed or replaced. */
  readonly stays?: boolean
  /** Page that shows the same; the notification is hidden there. */
  readonly seenAt?: string
  /** Prefix of the window title while it is shown. */
  readonly windowTitle?: string
}

const icons = { info: IconInfoCircle, success: IconCircleCheck, warning: IconAlertTriangle } as const

/** Shows a notification; it takes no focus. */
export function notify(one: Notification): void {
  const { id, tone, title, stays = false, seenAt, windowTitle } = one
  const Icon = icons[tone]
  const data: NotificationData = {
    id,
    title,
    message: <Message notification={one} />,
    icon: <Icon size={18} stroke={1.75} aria-hidden />,
    autoClose: stays ? false : 12_000,
    closeButtonProps: { "aria-label": "Dismiss" },
    // It is in a live region.
    role: "group",
    "aria-label": title,
    "data-tone": tone,
    "data-seen-at": seenAt,
    "data-window-title": windowTitle,
  }
  if (isNotified(id)) notifications.update(data)
  else notifications.show(data)
}

/** Whether a notification is shown, or waits for room. */
export function isNotified(id: string): boolean {
  const { notifications: shown, queue } = notificationsStore.getState()
  return [...shown, ...queue].some((each) => each.id === id)
}

function Message({ notification }: { notification: Notification }) {
  const { id, text, link, undo } = notification
  return (
    <>
      {text !== undefined && <span className="text-secondary">{text}</span>}
      <Group gap={12} mt={undo === undefined ? 0 : 6}>
        {undo !== undefined && (
          <Button
            size="xs"
            onClick={({ currentTarget }) => {
              // The button is removed: the focus stays in the notification.
              const close = currentTarget.closest("[role=group]")?.querySelector(":scope > button")
              if (close instanceof HTMLElement) close.focus()
              void undoNotification(notification)
            }}
          >
            Undo
          </Button>
        )}
        {link !== undefined && (
          <Link to={link.to} className="l-link" onClick={() => notifications.hide(id)}>
            {link.label}
          </Link>
        )}
      </Group>
    </>
  )
}

async function undoNotification(one: Notification): Promise<void> {
  const { id, undo } = one
  if (undo === undefined) return
  notify({ ...one, undo: undefined, tone: "info", text: "Undoing…", stays: true })
  try {
    const next = await undo()
    if (next !== undefined) notify({ ...next, id })
  } catch (error) {
    const { title, body } = explain(error)
    notify({ ...one, tone: "warning", text: `Not undone. ${title}. ${body}`, stays: true })
  }
}
