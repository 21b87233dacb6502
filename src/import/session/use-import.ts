import { useEffect, useMemo } from "react"
import { useExternalValue } from "../../ui/hooks.ts"
import { openPort as openWorker } from "../port/open-port.ts"
import type { SheetPort } from "../port/sheet-port.ts"
import type { RecipeName } from "../recipes/find-recipe.ts"
import { createImportDesk, type ImportSession } from "./import-session.ts"

interface ImportOptions {
  /** The kind of rows. */
  readonly recipe: RecipeName
  /** Whose draft it is. */
  readonly userId: string
  /** Another way to the sheet, for tests. Has to stay the same. */
  readonly openPort?: () => Promise<SheetPort>
}

/** Starts an import for a page: brings the person's draft back, and frees everything when the page is left. */
export function useImport({ recipe, userId, openPort = openWorker }: ImportOptions): ImportSession {
  const desk = useMemo(() => createImportDesk({ recipe, userId, openPort }), [recipe, userId, openPort])
  useEffect(() => desk.connect(), [desk])
  const state = useExternalValue(desk.state)
  return useMemo(() => ({ ...desk.actions, state }), [desk, state])
}
