import { createFileRoute } from "@tanstack/react-router"
import { CardsSettingsPage, cardsSettingsSearch } from "../../features/settings/gift-cards-page.tsx"

export const Route = createFileRoute("/_desk/settings/gift-cards")({
  validateSearch: cardsSettingsSearch,
  component: CardsSettingsPage,
})
