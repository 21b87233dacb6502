import { Button } from "@mantine/core"
import { IconCreditCard } from "@tabler/icons-react"
import { Link } from "@tanstack/react-router"
import { EmptyState } from "../../../ui/query-state.tsx"
import { PageHeader } from "../../../ui/page-header.tsx"

/** The register has no card of this id. */
export function CardMissing({ cardId }: { cardId: string }) {
  return (
    <>
      <PageHeader title="Not in the register" path={[{ label: "Gift cards", to: "/cards" }]} />
      <EmptyState
        icon={IconCreditCard}
        title={`No card in the register has the id ${cardId}`}
        help="The service may still have it: look it up to add it."
        actions={
          <>
            <Button
              variant="filled"
              renderRoot={(props) => (
                <Link {...props} to="/cards" search={{ open: "look-up", find: cardId }} />
              )}
            >
              Look it up
            </Button>
            <Button renderRoot={(props) => <Link {...props} to="/cards" />}>Back to gift cards</Button>
          </>
        }
      />
    </>
  )
}
