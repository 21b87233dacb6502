import { createFileRoute } from "@tanstack/react-router"
import { CardsSettingsPage } from "../../features/settings/cards/cards-page.tsx"
import { cardsSettingsSearch } from "../../features/settings/cards/cards-settings-search.ts"

export const Route = createFileRoute("/_desk/settings/gift-cards")({
  validateSearch: cardsSettingsSearch,
  component: CardsSettingsPage,
})
