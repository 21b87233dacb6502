// First: within Mantine's layer, the sheets every page needs must come before those of single components.
import "./global.css"
import { startTransition } from "react"
import { createRoot } from "react-dom/client"
import * as z from "zod/mini"
import { makeQueryClient } from "./api/request.ts"
import { App } from "./app.tsx"
import { showLook } from "./lib/colour-scheme.ts"
import { guardAgainstForeignChanges } from "./lib/foreign-changes.ts"
import { takeFirstResponses } from "./lib/first-responses.ts"
import { makeRouter, paintFirst } from "./router.tsx"

// No code generation at run time: the content security policy forbids it, and the attempt would be reported.
z.config({ jitless: true })

const root = document.getElementById("root")
if (root === null) throw new Error("index.html has no #root.")
/** Rejects when a part of the app did not arrive. */
export const started = start(root)

/** No `await` outside: the pages that `load` fetches import what stands beside this. */
async function start(element: HTMLElement): Promise<void> {
  if (import.meta.env.MODE === "demo") {
    const { startDemo } = await import("./demo/start.ts")
    await startDemo()
  }
  showLook()
  takeFirstResponses()
  guardAgainstForeignChanges(document.body)
  const queryClient = makeQueryClient()
  const router = makeRouter(queryClient)
  // What the server painted stays until the whole page can take its place.
  await router.load()
  paintFirst(router)
  // In slices: whoever already presses something is answered between them.
  startTransition(() => createRoot(element).render(<App queryClient={queryClient} router={router} />))
}
