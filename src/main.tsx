// First: within Mantine's layer, the sheets every page needs must come before those of single components.
import "./global.css"
import { setNonce } from "get-nonce"
import { createRoot } from "react-dom/client"
import * as z from "zod/mini"
import { App } from "./app.tsx"

// No code generation at run time: the content security policy forbids it, and the attempt would be reported.
z.config({ jitless: true })

// The scroll lock and Mantine write style elements; the policy lets them pass by this nonce.
const nonce = document.querySelector<HTMLMetaElement>("meta[property=csp-nonce]")?.nonce ?? ""
setNonce(nonce)

if (import.meta.env.MODE === "demo") {
  const { startDemo } = await import("./demo/start.ts")
  await startDemo()
}

const root = document.getElementById("root")
if (root === null) throw new Error("index.html has no #root.")
createRoot(root).render(<App nonce={nonce} />)
