import { Group } from "@mantine/core"
import { type NotificationData, notifications, notificationsStore } from "@mantine/notifications"
import { IconAlertTriangle, IconCircleCheck, IconInfoCircle } from "@tabler/icons-react"
import { Link } from "@tanstack/react-router"
import { type FocusEvent, type RefObject, useEffect, useLayoutEffect, useRef } from "react"
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
  /** Prefix of the window title until the title changes. */
  readonly windowTitle?: string
}

const icons = { info: IconInfoCircle, success: IconCircleCheck, warning: IconAlertTriangle } as const

/** Most notifications on the screen at a time. */
const most = 3
/** How long a notification that does not stay is shown, in ms; paused while it is hovered, focused or hidden. */
const lasting = 12_000
const step = 500

/** Shows a notification, in place of the oldest one if there are too many; it takes no focus. */
export function notify(one: Notification): void {
  const { id, tone, title, seenAt, windowTitle } = one
  const Icon = icons[tone]
  const data: NotificationData = {
    id,
    title,
    message: <Message notification={one} />,
    icon: <Icon size={18} stroke={1.75} aria-hidden />,
    // Mantine’s timer runs on while the notification is focused or hidden.
    autoClose: false,
    closeButtonProps: { "aria-label": "Dismiss" },
    // It is in a live region.
    role: "group",
    "aria-label": title,
    "data-tone": tone,
    "data-seen-at": seenAt,
    "data-window-title": windowTitle,
  }
  if (isNotified(id)) {
    notifications.update(data)
    return
  }
  const { notifications: shown } = notificationsStore.getState()
  for (const oldest of shown.slice(0, Math.max(0, shown.length + 1 - most)))
    if (oldest.id !== undefined) notifications.hide(oldest.id)
  notifications.show(data)
}

/** Whether a notification is shown. */
export function isNotified(id: string): boolean {
  return notificationsStore.getState().notifications.some((each) => each.id === id)
}

let focusedBefore: Element | null = null

/** For the notifications' `onFocus`: the focus returns there when the notification that has it leaves. */
export function noteFocus({ currentTarget, relatedTarget }: FocusEvent): void {
  if (relatedTarget !== null && !currentTarget.contains(relatedTarget)) focusedBefore = relatedTarget
}

function Message({ notification }: { notification: Notification }) {
  const { id, text, link, undo } = notification
  const box = useRef<HTMLDivElement>(null)
  useLeaving(notification, box)
  useFocusReturn(box)
  return (
    <div ref={box}>
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
    </div>
  )
}

const cardOf = (part: HTMLElement | null) => part?.closest("[role=group]") ?? null

function useLeaving(notification: Notification, box: RefObject<HTMLElement | null>): void {
  useEffect(() => {
    const { id, stays = false } = notification
    if (stays) return undefined
    let left = lasting
    const timer = setInterval(() => {
      const card = cardOf(box.current)
      const isPaused = card?.matches(":hover, :focus-within") === true
      const isHidden = card !== null && getComputedStyle(card).visibility === "hidden"
      if (!isPaused && !isHidden && document.visibilityState === "visible") left -= step
      if (left <= 0) notifications.hide(id)
    }, step)
    return () => clearInterval(timer)
  }, [notification, box])
}

/** Returns the focus when the notification that has it leaves. */
function useFocusReturn(box: RefObject<HTMLElement | null>): void {
  useLayoutEffect(() => {
    const card = cardOf(box.current)
    return () => {
      const hasFocus = card?.contains(document.activeElement) === true
      if (hasFocus && focusedBefore instanceof HTMLElement) focusedBefore.focus({ preventScroll: true })
    }
  }, [box])
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
