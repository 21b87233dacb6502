import { createFileRoute } from "@tanstack/react-router"
import { CardsSettingsPage } from "../../features/settings/gift-cards-page.tsx"
import { cardsSettingsSearch } from "../../features/settings/settings-search.ts"

export const Route = createFileRoute("/_app/settings/gift-cards")({
  validateSearch: cardsSettingsSearch,
  component: CardsSettingsPage,
})
