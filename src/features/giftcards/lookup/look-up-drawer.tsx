import { Button, TextInput } from "@mantine/core"
import { IconSearch } from "@tabler/icons-react"
import { useIsFetching } from "@tanstack/react-query"
import { getRouteApi, Link } from "@tanstack/react-router"
import { useState } from "react"
import { limits } from "../../../../contract/limits.ts"
import { foundCardQuery } from "../../../api/gift-cards.ts"
import { cost } from "../../../lib/format.ts"
import { Notice } from "../../../ui/notice.tsx"
import { SideDrawer } from "../../../ui/side-drawer.tsx"
import { FoundCard } from "./found-card.tsx"
import classes from "./look-up.module.css"

const route = getRouteApi("/_desk/cards")

/**
 * Looks a card up at the service by its id or its reference (docs/api/giftcard.md, Look up a card). What is looked up,
 * and in which template, is in the address.
 */
export function LookUpDrawer({ onClose }: { onClose: () => void }) {
  const { find, in: template } = route.useSearch()
  const navigate = route.useNavigate()
  const [typed, setTyped] = useState(find ?? "")
  const wanted = typed.trim()
  const asking =
    useIsFetching({ queryKey: find === undefined ? ["none"] : foundCardQuery(find, template).queryKey }) > 0
  const isEmail = /^[^\s@]+@[^\s@]+$/.test(wanted)
  const look = (change: { find?: string; in?: string | undefined }) =>
    void navigate({ search: (now) => ({ ...now, ...change }), replace: true, resetScroll: false })
  return (
    <SideDrawer
      title="Look up a card"
      onClose={onClose}
      onSubmit={(event) => {
        event.preventDefault()
        if (wanted !== "" && !isEmail) look({ find: wanted, in: undefined })
      }}
      foot={
        <>
          <Button
            type="submit"
            size="md"
            fullWidth
            disabled={wanted === "" || isEmail}
            loading={asking}
            leftSection={<IconSearch size={16} stroke={1.75} aria-hidden />}
          >
            Look up
          </Button>
          <span className="l-meta text-muted">{cost(1)}, to the gift-card service</span>
        </>
      }
    >
      <div className={classes.body}>
        <TextInput
          size="md"
          label="Card id or reference"
          description="The card id, or the external reference it was issued with."
          autoComplete="off"
          spellCheck={false}
          data-autofocus
          maxLength={limits.cardReference}
          value={typed}
          onChange={(event) => setTyped(event.currentTarget.value)}
        />
        {isEmail && (
          <Notice
            tone="info"
            title="Cards can’t be looked up by e-mail"
            action={
              <Link to="/cards" search={{ search: wanted }} className="l-link">
                Search the register for {wanted}
              </Link>
            }
          >
            The register can be searched by e-mail for every card issued here.
          </Notice>
        )}
        {find !== undefined && !isEmail && (
          <FoundCard
            key={`${find} ${template ?? ""}`}
            find={find}
            template={template}
            onTemplate={(chosen) => look({ in: chosen })}
          />
        )}
      </div>
    </SideDrawer>
  )
}
