import { createRoot } from "react-dom/client"
import type { DemoControls } from "../demo-controls.ts"
import { DemoPanel } from "./demo-panel.tsx"

/** Puts the demo's panel beside the desk, in a root of its own: the desk knows nothing of it. */
export function mountPanel(controls: DemoControls): void {
  const host = document.createElement("div")
  document.body.append(host)
  createRoot(host).render(<DemoPanel controls={controls} />)
}
