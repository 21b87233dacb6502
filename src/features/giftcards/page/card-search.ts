import { z } from "../../../lib/z.ts"
import { choiceParam } from "../../../list/list-params.ts"

/** What a card's page has in its address. */
export const cardSearch = z.object({
  /** The dialog above the page. */
  open: choiceParam(["reveal"]),
})
