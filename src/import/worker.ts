import { expose } from "comlink"
import * as z from "zod/mini"
import { browserDrafts } from "../lib/import-drafts.ts"
import { SheetWorker } from "./sheet-worker.ts"

// The content security policy forbids eval, in workers too.
z.config({ jitless: true })

expose(new SheetWorker(browserDrafts()))
