import type { RegisteredCard } from "../../../../contract/cards.ts"
import { millis, shortDay } from "../../../lib/time.ts"
import { AsOf } from "../../../ui/query-state.tsx"
import { Figures } from "../../../ui/page-header.tsx"
import { useNow } from "../../../ui/hooks.ts"
import { CardMoney } from "../show/card-money.tsx"
import { daysLeft, daysLeftWords } from "../show/card-words.ts"

interface CardFiguresProps {
  card: RegisteredCard
  refreshing: boolean
  onRefresh: () => void
}

/** What a card is worth, since when and until when; and when the service was asked last. */
export function CardFigures({ card, refreshing, onRefresh }: CardFiguresProps) {
  const now = useNow("half-minute")
  const { amount_cents, issued_at, expires_at, looked_up_at } = card
  const days = daysLeft(expires_at, now)
  return (
    <Figures
      items={[
        {
          label: "Face value",
          value: amount_cents === null ? "Unknown" : <CardMoney cents={amount_cents} />,
        },
        { label: "Issued", value: issued_at === null ? "Unknown" : shortDay(issued_at, now) },
        { label: "Expires", value: days === undefined ? "Unknown" : daysLeftWords(days) },
      ]}
      end={
        looked_up_at === null ? (
          <span className="l-meta text-muted">Not looked up yet</span>
        ) : (
          <AsOf at={millis(looked_up_at)} refreshing={refreshing} onRefresh={onRefresh} />
        )
      }
    />
  )
}
