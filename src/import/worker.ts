import { expose } from "comlink"
import * as z from "zod/mini"
import { browserDrafts } from "../lib/import-drafts.ts"
import { createWorkerApi } from "./sheet-worker.ts"

// The content security policy forbids eval, in workers too.
z.config({ jitless: true })

expose(createWorkerApi(browserDrafts()))
