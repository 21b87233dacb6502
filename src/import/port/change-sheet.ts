import type { SheetCommand } from "../sheet/sheet-command.ts"
import type { Sheet } from "../sheet/sheet.ts"

/** Carries out a command that changes an open sheet; false when it is none. */
export function changeSheet(open: Sheet, command: SheetCommand): boolean {
  switch (command.type) {
    case "map":
      open.map(command.column, command.field)
      return true
    case "fill":
      open.fill(command.field, command.text)
      return true
    case "addColumn":
      open.addColumn(command.field)
      return true
    case "edit":
      open.edit(command.edits)
      return true
    case "paste":
      open.paste(command, command.text)
      return true
    case "decide":
      open.decide(command.which, command.decision)
      return true
    case "remove":
      open.remove(command.ids)
      return true
    case "addRows":
      open.addRows(command.count)
      return true
    case "undo":
      open.undo()
      return true
    case "show":
      open.show(command.filter)
      return true
    case "mark":
      open.mark(command.marks)
      return true
    case "repeats":
      open.repeats(command.found)
      return true
    case "choose":
      open.choose(command.patch)
      return true
    default:
      return false
  }
}
