// First: within Mantine's layer, the sheets of every page must come before those of single components.
import "./global.css"
import "./theme.css"
import "@fontsource-variable/inter/wght.css"
import { createRoot } from "react-dom/client"
import * as z from "zod/mini"
import { makeQueryClient } from "./api/request.ts"
import { cachePageSession } from "./api/session.ts"
import { App } from "./app.tsx"
import { applyAppearance } from "./lib/colour-scheme.ts"
import { guardAgainstForeignChanges } from "./lib/foreign-changes.ts"
import { makeRouter } from "./router.tsx"

// The content security policy forbids eval, and the attempt would be reported.
z.config({ jitless: true })

/** Renders the app. Rejects when a chunk failed to load. */
export async function start(root: HTMLElement): Promise<void> {
  if (import.meta.env.MODE === "demo") {
    const { startDemo } = await import("./demo/start.ts")
    await startDemo()
  }
  applyAppearance()
  guardAgainstForeignChanges(document.body)
  const queryClient = makeQueryClient()
  cachePageSession(queryClient)
  const router = makeRouter(queryClient)
  await router.load()
  createRoot(root).render(<App queryClient={queryClient} router={router} />)
}
