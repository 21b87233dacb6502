import type { SheetCommand, SheetResult } from "../sheet/sheet-command.ts"
import type { Sheet } from "../sheet/sheet.ts"

/** Answers a command that asks something of an open sheet. */
export async function askSheet(open: Sheet, command: SheetCommand): Promise<SheetResult> {
  switch (command.type) {
    case "window":
      return { type: "rows", from: command.from, rows: open.window(command.from, command.count) }
    case "next":
      return { type: "place", place: open.next(command, command.step) }
    case "accepted":
      return { type: "accepted", accepted: open.accepted(command.offset, command.limit) }
    case "comparable":
      return { type: "comparable", comparable: open.comparable(command.from, command.most) }
    case "entries":
      return { type: "entries", entries: open.entries(command.offset, command.limit) }
    case "distinct":
      return { type: "texts", texts: open.distinct(command.field) }
    case "leftOut":
      return { type: "csv", csv: open.leftOut() }
    case "fingerprint":
      return { type: "fingerprint", fingerprint: await open.fingerprint() }
    default:
      return { type: "done" }
  }
}
