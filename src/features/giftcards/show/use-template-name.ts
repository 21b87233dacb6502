import { useQuery } from "@tanstack/react-query"
import { useCallback } from "react"
import { cardTemplatesQuery } from "../../../api/gift-cards.ts"

/** The name of a card template as entered in the settings; its id where none was entered. */
export function useTemplateName(): (id: string) => string {
  const { data } = useQuery(cardTemplatesQuery)
  return useCallback(
    (id) => data?.templates.find((template) => template.id === id)?.name ?? id,
    [data?.templates],
  )
}
