import type { RecipeName } from "../recipes/find-recipe.ts"
import type { SheetCommand, SheetResult } from "../sheet/sheet-command.ts"

/** What the page says to the sheet: who it is for, then commands, numbered. */
export type ToSheet =
  | { readonly type: "start"; readonly recipe: RecipeName; readonly userId: string }
  | { readonly type: "command"; readonly id: number; readonly command: SheetCommand }

/** What the sheet says to the page. `failed` is a defect, not a refusal. */
export type FromSheet =
  | { readonly type: "progress"; readonly share: number }
  | { readonly type: "result"; readonly id: number; readonly result: SheetResult }
  | { readonly type: "failed"; readonly id: number; readonly message: string }

/** The way between the page and the sheet, a worker or the same code beside the page. */
export interface SheetPort {
  readonly send: (message: ToSheet) => void
  /** @param onBroken called when the other side did not start, or stopped by itself */
  readonly listen: (onMessage: (message: FromSheet) => void, onBroken: () => void) => void
  /** Ends the other side and frees what it holds. */
  readonly close: () => void
}
