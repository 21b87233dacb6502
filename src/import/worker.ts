import { expose } from "comlink"
import * as z from "zod/mini"
import { browserDrafts } from "../lib/import-drafts.ts"
import { createWorkerApi } from "./sheet-worker.ts"

// The page's policy forbids making code at run time, here too.
z.config({ jitless: true })

expose(createWorkerApi(browserDrafts()))
