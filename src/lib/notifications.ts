import { create } from "zustand"
import { explain } from "./errors.ts"

/** A message in the corner of the page: something was done, or needs a person. */
export interface Notification {
  /** A later notification with the same id replaces this one. */
  readonly id: string
  readonly tone: "info" | "success" | "warning"
  readonly title: string
  readonly text?: string | undefined
  /** Link to the subject; hidden on that page. */
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

/** Notifications on the screen, newest last. */
export const useNotifications = create<{ readonly notifications: readonly Notification[] }>(() => ({
  notifications: [],
}))

/** Most notifications on the screen at a time. */
const most = 3

/** Shows a notification, announced by screen readers; it takes no focus. */
export function notify(one: Notification): void {
  useNotifications.setState(({ notifications }) => ({
    notifications: [...notifications.filter(({ id }) => id !== one.id), one].slice(-most),
  }))
}

/** Removes a notification. */
export function dismiss(id: string): void {
  useNotifications.setState(({ notifications }) => ({
    notifications: notifications.filter((one) => one.id !== id),
  }))
}

/** Runs a notification's undo once; it can run again only after it was refused. */
export async function undoNotification(one: Notification): Promise<void> {
  const { id, undo } = one
  if (undo === undefined || !useNotifications.getState().notifications.includes(one)) return
  notify({ ...one, undo: undefined, tone: "info", text: "Undoing…", stays: true })
  try {
    const next = await undo()
    if (next !== undefined) notify({ ...next, id })
  } catch (error) {
    const { title, body } = explain(error)
    notify({ ...one, tone: "warning", text: `Not undone. ${title}. ${body}`, stays: true })
  }
}
