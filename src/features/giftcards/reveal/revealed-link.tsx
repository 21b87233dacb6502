import { Button } from "@mantine/core"
import { IconCopy } from "@tabler/icons-react"
import { Link } from "@tanstack/react-router"
import type { RevealedCard } from "../../../../contract/cards.ts"
import { Notice } from "../../../ui/notice.tsx"
import { useCopy } from "../../../ui/values.tsx"
import classes from "./reveal.module.css"

/** The link, or the alarm that the service issued a new card instead of repeating. */
export function RevealedLink({ answer }: { answer: RevealedCard }) {
  const { alarm, redeem_url: link } = answer
  if (alarm !== null) {
    return (
      <Notice
        tone="danger"
        title="The service issued a new card"
        action={
          <Link to="/cards/$cardId" params={{ cardId: alarm.card_id }} className="l-link">
            Open the new card
          </Link>
        }
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
  return <LinkItself link={link} />
}

function LinkItself({ link }: { link: string }) {
  const { said, copy } = useCopy(link)
  return (
    <>
      <div className={classes.link}>
        <output className="l-mono">{link}</output>
        <Button data-autofocus leftSection={<IconCopy size={16} stroke={1.75} aria-hidden />} onClick={copy}>
          {said ?? "Copy the link"}
        </Button>
      </div>
      <p className="l-meta text-muted">
        Share it only with the recipient, in a way that doesn’t store it. It works once and disappears from
        here when you close this.
      </p>
    </>
  )
}
