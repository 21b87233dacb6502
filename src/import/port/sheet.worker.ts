import * as z from "zod/mini"
import { browserDrafts } from "../draft/draft-store.ts"
import { serveSheet } from "./serve-sheet.ts"
import type { ToSheet } from "./sheet-port.ts"

// The page's policy forbids making code at run time, here too.
z.config({ jitless: true })

// oxlint-disable-next-line unicorn/require-post-message-target-origin -- a worker's page has no target origin
const serve = serveSheet((message) => postMessage(message), browserDrafts())

addEventListener("message", ({ data }: MessageEvent<ToSheet>) => serve(data))
