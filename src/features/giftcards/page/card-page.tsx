import { Button } from "@mantine/core"
import { IconEye, IconSearch } from "@tabler/icons-react"
import { useQuery } from "@tanstack/react-query"
import { getRouteApi } from "@tanstack/react-router"
import { lazy, Suspense } from "react"
import type { RegisteredCard } from "../../../../contract/cards.ts"
import { cardQuery, useLookUpCard } from "../../../api/gift-cards.ts"
import { ApiError } from "../../../api/errors.ts"
import { RequirePermission } from "../../../ui/require-permission.tsx"
import { ErrorNotice } from "../../../ui/error-notice.tsx"
import { Notice } from "../../../ui/notice.tsx"
import { PageHeader } from "../../../ui/page-header.tsx"
import { SkeletonRows } from "../../../ui/query-state.tsx"
import { CardStatus } from "../show/card-status.tsx"
import { recipientOf } from "../show/card-words.ts"
import { CardFacts } from "./card-facts.tsx"
import { CardFigures } from "./card-figures.tsx"
import { CardHistory } from "./card-history.tsx"
import { CardMissing } from "./card-missing.tsx"
import classes from "./card-page.module.css"

const RevealDialog = lazy(async () => ({
  default: (await import("../reveal/reveal-dialog.tsx")).RevealDialog,
}))

const route = getRouteApi("/_desk/cards_/$cardId")
const path = [{ label: "Gift cards", to: "/cards" }]

/** One card of the register: what is known of it, and what happened to it. */
export function CardPage() {
  const { cardId } = route.useParams()
  const { data: answer, error, refetch } = useQuery(cardQuery(cardId))
  if (error instanceof ApiError && error.status === 404) return <CardMissing cardId={cardId} />
  if (answer === undefined) {
    return (
      <>
        <PageHeader title="Gift card" path={path} />
        {error === null ? (
          <SkeletonRows rows={6} columns={[40, 240]} />
        ) : (
          <div className={classes.note}>
            <ErrorNotice error={error} what="Couldn’t load the card." onRetry={() => void refetch()} />
          </div>
        )}
      </>
    )
  }
  return <Known key={cardId} card={answer.data} error={error} onRetry={() => void refetch()} />
}

function Known({ card, error, onRetry }: { card: RegisteredCard; error: unknown; onRetry: () => void }) {
  const { open } = route.useSearch()
  const navigate = route.useNavigate()
  const look = useLookUpCard(card.id)
  const show = (dialog: "reveal" | undefined) =>
    void navigate({ search: (now) => ({ ...now, open: dialog }), resetScroll: false })
  return (
    <div className={classes.page}>
      <PageHeader
        title={recipientOf(card)}
        path={path}
        pill={<CardStatus card={card} pill />}
        actions={
          <>
            <Button
              leftSection={<IconSearch size={16} stroke={1.75} aria-hidden />}
              loading={look.isPending}
              onClick={() => look.mutate()}
            >
              Look up now
            </Button>
            <RequirePermission permission="secrets.reveal">
              <Button
                leftSection={<IconEye size={16} stroke={1.75} aria-hidden />}
                onClick={() => show("reveal")}
              >
                Reveal the link
              </Button>
            </RequirePermission>
          </>
        }
      />
      {(error !== null || look.error !== null || card.origin === "unexpected") && (
        <div className={classes.note}>
          {error !== null && (
            <ErrorNotice
              error={error}
              what="Couldn’t refresh the card. Showing the last loaded version."
              onRetry={onRetry}
            />
          )}
          {look.error !== null && (
            <ErrorNotice error={look.error} what="Couldn’t look it up. Showing the last known details." />
          )}
          {card.origin === "unexpected" && (
            <Notice tone="warning" title="The service issued this card unexpectedly">
              It issued a new card when the link of another card was revealed. No one was shown its link. Tell
              your program administrator.
            </Notice>
          )}
        </div>
      )}
      <CardFigures card={card} refreshing={look.isPending} onRefresh={() => look.mutate()} />
      <div className={classes.split}>
        <CardFacts card={card} />
        <CardHistory card={card} />
      </div>
      {open === "reveal" && (
        <Suspense>
          <RevealDialog cardId={card.id} onClose={() => show(undefined)} />
        </Suspense>
      )}
    </div>
  )
}
