import * as z from "zod/mini"
import { delimiters } from "../read/delimiter.ts"
import { encodings } from "../read/encoding.ts"

/** Versions of the shape below: a draft of another version is dropped, never guessed at. */
const version = 1

const column = z.object({ name: z.string(), field: z.nullable(z.string()) })
const doubt = z.object({ severity: z.enum(["problem", "check"]), text: z.string() })

/** The rows as they were read: written once, because they are large. */
export const draftRows = z.object({
  version: z.literal(version),
  table: z.array(z.array(z.string())),
  numbers: z.array(z.number()),
})

/** Everything that changes while a person works: written often, and small. */
export const draftState = z.object({
  version: z.literal(version),
  /** Which rows it belongs to. */
  rowsId: z.string(),
  /** ms since 1970. */
  savedAt: z.number(),
  /** Idempotency-Key of the job this draft becomes. */
  key: z.string(),
  origin: z.object({
    name: z.string(),
    encoding: z.nullable(z.enum(encodings)),
    delimiter: z.enum(delimiters),
    notes: z.array(z.string()),
    headerAt: z.nullable(z.number()),
    size: z.number(),
    style: z.enum([".", ","]),
    styleMatters: z.boolean(),
  }),
  columns: z.array(column),
  constants: z.record(z.string(), z.string()),
  choices: z.record(z.string(), z.string()),
  doubts: z.array(z.tuple([z.number(), doubt])),
  marks: z.array(z.tuple([z.number(), z.array(z.extend(doubt, { field: z.string(), cell: z.string() }))])),
  /** Row, column and text of every cell that was changed. */
  edits: z.array(z.tuple([z.number(), z.number(), z.string()])),
  /** Numbers of rows that were added here. */
  added: z.array(z.number()),
  removed: z.array(z.number()),
  kept: z.array(z.tuple([z.number(), z.string()])),
  left: z.array(z.number()),
})
/** What changes while a person works. */
export type DraftState = z.output<typeof draftState>

/** The version that is written. */
export const draftVersion = version
