import "@mantine/core/styles/Modal.layer.css"
import { Group, Modal, Stack } from "@mantine/core"
import { IconCopy } from "@tabler/icons-react"
import { useQuery } from "@tanstack/react-query"
import { type ReactNode, useState } from "react"
import type { RegisteredCard, RevealedCard } from "../../../contract/cards.ts"
import { cardQuery, revealCard } from "../../api/gift-cards.ts"
import { useCan } from "../../api/session.ts"
import { useReveal } from "../../forms/reveal.tsx"
import { ErrorNotice, Notice } from "../../ui/notice.tsx"
import { useFocusBack, useServerNow, useSubmitKey } from "../../ui/hooks.ts"
import { SkeletonRows } from "../../ui/query-state.tsx"
import { useCopy } from "../../ui/values.tsx"
import { CardLink } from "../../ui/record-link.tsx"
import { daysLeft, recipientLabel } from "./card-columns.tsx"
import { Button, buttonIcon } from "../../ui/button.tsx"

/** Shows a card's redeem link after a reason. Only in this dialog's state, never cached, and removed on close. */
export function RevealDialog({ cardId, onClose }: { cardId: string; onClose: () => void }) {
  useFocusBack()
  useSubmitKey()
  const [revealed, setRevealed] = useState<RevealedCard | null>(null)
  const { data, error, isPending, refetch } = useQuery(cardQuery(cardId))
  const reveal = useReveal((reason) => revealCard(cardId, reason), setRevealed)
  const { busy } = reveal
  const may = useCan("secrets.reveal")
  const now = useServerNow("half-minute")
  return (
    <Modal
      opened
      onClose={onClose}
      title="Reveal the redeem link"
      closeOnClickOutside={!busy && revealed === null}
      closeOnEscape={!busy}
      closeButtonProps={{ "aria-label": "Close", disabled: busy }}
    >
      <Stack gap={16}>{content()}</Stack>
    </Modal>
  )

  function content(): ReactNode {
    if (revealed !== null) {
      return (
        <>
          <RevealedLink {...revealed} />
          <Button variant="filled" className="at-end" onClick={onClose}>
            Done
          </Button>
        </>
      )
    }
    if (isPending) return <SkeletonRows rows={2} columns={[120, 200]} />
    if (data === undefined)
      return <ErrorNotice error={error} what="Couldn’t load the card." onRetry={refetch} />
    const [title, help] = cannotReveal(data.data, may, now)
    if (title !== undefined) {
      return (
        <>
          <Notice tone="info" title={title}>
            {help}
          </Notice>
          <Button variant="filled" className="at-end" data-autofocus onClick={onClose}>
            Close
          </Button>
        </>
      )
    }
    return (
      <Stack component="form" gap={16} onSubmit={reveal.onSubmit}>
        <p>Anyone with the link can use the card. It’s shown only here and disappears when you close this.</p>
        <Notice tone="warning" title={`The service may e-mail ${recipientLabel(data.data)} again`}>
          Laurel doesn’t store links. It repeats the request that issued the card, and the service returns the
          same response. No second card is issued while the service still has the request.
        </Notice>
        {reveal.field}
        <ErrorNotice error={reveal.error} what="No link was shown." />
        <Group justify="flex-end" gap={8}>
          <Button onClick={onClose} disabled={busy}>
            Cancel
          </Button>
          <Button type="submit" variant="filled" loading={busy} disabled={reveal.missing}>
            Reveal the link
          </Button>
        </Group>
      </Stack>
    )
  }
}

function RevealedLink({ alarm, redeem_url: link }: RevealedCard) {
  const { said, copy } = useCopy(link ?? "")
  if (alarm !== null) {
    return (
      <Notice
        tone="danger"
        title="The service issued a new card"
        action={<CardLink id={alarm.card_id} text="Open the new card" />}
      >
        {alarm.message}
      </Notice>
    )
  }
  if (link === null) {
    return (
      <Notice tone="info" title="The service’s response had no link">
        Nothing is shown, and no card was issued.
      </Notice>
    )
  }
  return (
    <>
      <Stack className="card wrap-anywhere" gap={12} p={12} align="start">
        <output className="l-mono">{link}</output>
        <Button data-autofocus leftSection={<IconCopy {...buttonIcon} />} onClick={copy}>
          {said ?? "Copy the link"}
        </Button>
      </Stack>
      <p className="caption">
        Share it only with the recipient, in a way that doesn’t store it. It works once and disappears from
        here when you close this.
      </p>
    </>
  )
}

/** Why a card's link cannot be revealed; the server decides again (docs/gift-cards.md, Revealing). */
function cannotReveal(card: RegisteredCard, mayReveal: boolean, now: number): readonly string[] {
  if (!mayReveal) {
    return [
      "Your role can’t reveal links",
      "Managers and administrators can. The recipient has the link in the service’s e-mail.",
    ]
  }
  if (card.job === null) {
    return [
      "This card was issued elsewhere",
      "Only the system that issued it can get its link again. The recipient has it in the service’s e-mail.",
    ]
  }
  if ((daysLeft(card.expires_at, now) ?? 0) < 0) {
    return [
      "This card has expired",
      "Revealing its link could issue a new card. Issue another card if one is needed.",
    ]
  }
  if (card.can_reveal) return []
  return [
    "The link of this card can’t be revealed",
    "The row that issued it isn’t confirmed, or the card wasn’t issued here.",
  ]
}
