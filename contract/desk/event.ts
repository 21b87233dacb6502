import * as z from "zod/mini"

/** What an event can be about. */
export const eventTopics = [
  "audit",
  "budget",
  "cards",
  "job",
  "member",
  "members",
  "names",
  "note",
  "orders",
  "session",
  "settings",
  "status",
  "users",
] as const

/** A hint that something changed: topic and id only; whoever cares reads it again. */
export const deskEvent = z.object({ topic: z.enum(eventTopics), id: z.string() })
/** A hint that something changed. */
export type DeskEvent = z.output<typeof deskEvent>
