import { explain } from "./errors.ts"
import { externalValue } from "./external-value.ts"

/** What was done, or what needs a person, told once beside the page. */
export interface Told {
  /** What it is about: a later one about the same takes its place. */
  readonly id: string
  readonly tone: "info" | "success" | "warning"
  readonly title: string
  readonly text?: string | undefined
  /** Leads to what it is about; left out on that page. */
  readonly link?: { readonly to: string; readonly label: string } | undefined
  /**
   * Undoes what was done and gives what to say of it; undefined when that comes later. It is called again only after it
   * was refused, so it has to be one effect however often it runs.
   */
  readonly undo?: (() => Promise<Omit<Told, "id"> | undefined>) | undefined
  /** Until it is dismissed or replaced. */
  readonly stays?: boolean
  /** The page that says the same: it is not shown there. */
  readonly seenAt?: string
  /** What the window's title begins with meanwhile. */
  readonly windowTitle?: string
}

/** What is told now, the newest last. */
export const told = externalValue<readonly Told[]>([])

/** How many are told at a time. */
const most = 3

/** Tells something. It takes no focus, and a screen reader reads it. */
export function notify(one: Told): void {
  told.set([...told.get().filter(({ id }) => id !== one.id), one].slice(-most))
}

/** Puts one away. */
export function dismiss(id: string): void {
  told.set(told.get().filter((one) => one.id !== id))
}

/** Undoes what one tells of: once, however often it is pressed, unless it was refused. */
export async function undoTold(one: Told): Promise<void> {
  const { id, undo } = one
  if (undo === undefined || !told.get().includes(one)) return
  notify({ ...one, undo: undefined, tone: "info", text: "Undoing…", stays: true })
  try {
    const next = await undo()
    if (next !== undefined) notify({ ...next, id })
  } catch (error) {
    const { title, body } = explain(error)
    notify({ ...one, tone: "warning", text: `Not undone. ${title}. ${body}`, stays: true })
  }
}
