import * as z from "zod/mini"
import { choiceParam } from "../../../lists/list-params.ts"

/** What a card's page has in its address. */
export const cardSearch = z.object({
  /** The dialog above the page. */
  open: choiceParam(["reveal"]),
})
