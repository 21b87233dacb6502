import { Button } from "@mantine/core"
import { useQuery } from "@tanstack/react-query"
import { Link } from "@tanstack/react-router"
import { cardQuery, useAdoptCard } from "../../../api/gift-cards.ts"
import { ApiError } from "../../../api/errors.ts"
import { RequirePermission } from "../../../ui/require-permission.tsx"
import { ErrorNotice } from "../../../ui/error-notice.tsx"
import { Notice } from "../../../ui/notice.tsx"

/** Whether a card that was found is in the register, and what to do about it. */
export function RegisterState({ cardId }: { cardId: string }) {
  const { data, error, isPending, refetch } = useQuery({ ...cardQuery(cardId), retry: false })
  const adopt = useAdoptCard()
  if (isPending) return null
  const open = (
    <Button
      size="md"
      variant="filled"
      renderRoot={(props) => <Link {...props} to="/cards/$cardId" params={{ cardId }} />}
    >
      Open the card
    </Button>
  )
  if (adopt.data !== undefined) {
    return (
      <Notice tone="success" title="Added to the register" action={open}>
        It was issued elsewhere, so its link can’t be revealed here.
      </Notice>
    )
  }
  if (data !== undefined) {
    return (
      <Notice
        tone="success"
        title={data.data.origin === "adopted" ? "In the register, issued elsewhere" : "In the register"}
        action={open}
      />
    )
  }
  if (!(error instanceof ApiError) || error.status !== 404) {
    return <ErrorNotice error={error} what="Couldn’t load the register." onRetry={() => void refetch()} />
  }
  return (
    <>
      <Notice
        tone="info"
        title="Not in the register"
        action={
          <RequirePermission permission="cards.issue">
            <Button variant="filled" loading={adopt.isPending} onClick={() => adopt.mutate({ id: cardId })}>
              Add to the register
            </Button>
          </RequirePermission>
        }
      >
        It was issued elsewhere. It will be kept in the register without its link.
      </Notice>
      {adopt.error !== null && <ErrorNotice error={adopt.error} what="Couldn’t add the card." />}
    </>
  )
}
