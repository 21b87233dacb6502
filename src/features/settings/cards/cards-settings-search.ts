import { limits } from "../../../../contract/limits.ts"
import * as z from "zod/mini"
import { choiceParam, textParam } from "../../../lists/list-params.ts"

/** What is open on the page, in the address: a form or a question, and the template it is about. */
export const cardsSettingsSearch = z.object({
  open: choiceParam(["add", "edit", "remove"]),
  template: textParam(limits.cardReference),
})
