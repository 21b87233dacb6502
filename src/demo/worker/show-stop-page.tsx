import { createRoot } from "react-dom/client"
import { StopPage } from "./stop-page.tsx"
import { stopReasons, type StopReason } from "./stop-reasons.ts"

interface StopActions {
  readonly onAction?: () => void
  readonly onReset?: () => void
}

/** Puts a page over everything; what is below it cannot be reached any more. Returns what takes it away. */
export function showStopPage(reason: StopReason, { onAction, onReset }: StopActions = {}): () => void {
  const below = [...document.body.children].filter((element) => element instanceof HTMLElement)
  for (const element of below) element.inert = true
  const host = document.createElement("div")
  document.body.append(host)
  const root = createRoot(host)
  root.render(<StopPage words={stopReasons[reason]} onAction={onAction} onReset={onReset} />)
  document.title = `${stopReasons[reason].title} · Laurel`
  return () => {
    root.unmount()
    host.remove()
    for (const element of below) element.inert = false
  }
}
