import { award } from "./award.ts"
import { deduct } from "./deduct.ts"
import { giftcard } from "./giftcard.ts"
import { memberCreate } from "./member-create.ts"
import { orderUpdate } from "./order-update.ts"
import type { Recipe } from "./recipe.ts"

/** Kinds of files that can be imported; each is named after the kind of job it makes. */
const recipes = {
  award,
  deduct,
  giftcard,
  "member-create": memberCreate,
  "order-update": orderUpdate,
} as const satisfies Readonly<Record<string, Recipe>>

/** The kind of a file. */
export type RecipeName = keyof typeof recipes

/** How files of a kind are read and checked. */
export function findRecipe(name: RecipeName): Recipe {
  return recipes[name]
}
