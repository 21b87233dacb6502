import { isEmail as isEmailAddress } from "../../../contract/email-address.ts"
import { Box, Group, Stack, TextInput } from "@mantine/core"
import { IconSearch } from "@tabler/icons-react"
import { useIsFetching, useQuery } from "@tanstack/react-query"
import { getRouteApi, Link } from "@tanstack/react-router"
import { type ReactNode, useState } from "react"
import type { Card } from "../../../contract/giftcard/card.ts"
import { limits } from "../../../contract/limits.ts"
import { rawValue } from "../../../contract/reading.ts"
import {
  cardFacetsQuery,
  cardQuery,
  cardTemplatesQuery,
  cardLookupQuery,
  useAdoptCard,
} from "../../api/gift-cards.ts"
import { useExactText } from "../../forms/fields.tsx"
import { OutcomeFacts } from "../../forms/job-outcome.tsx"
import { ApiError, explain } from "../../lib/errors.ts"
import { centsOf } from "../../lib/format.ts"
import { exact } from "../../lib/time.ts"
import { RequirePermission } from "../../lists/require-permission.tsx"
import { ErrorNotice, Notice } from "../../ui/notice.tsx"
import { SkeletonRows } from "../../ui/query-state.tsx"
import { SideDrawer } from "../../ui/side-drawer.tsx"
import { AsSent, CopyText } from "../../ui/values.tsx"
import { MemberLink } from "../../ui/record-link.tsx"
import { CardMoney, CardStatus, TemplateName, useTemplateName } from "./card-columns.tsx"
import { Button, buttonIcon, LinkButton } from "../../ui/button.tsx"

const route = getRouteApi("/_app/cards")

const field = {
  size: "md",
  autoComplete: "off",
  spellCheck: false,
} as const

/** Looks up a card at the service by the id or reference in the URL (docs/api/giftcard.md, Look up a card). */
export function LookupDrawer({ onClose }: { onClose: () => void }) {
  const { find, in: template } = route.useSearch()
  const navigate = route.useNavigate()
  const [typed, setTyped] = useState(find ?? "")
  const { props: cleaned, note } = useExactText(typed, setTyped)
  const wanted = typed.trim()
  const fetching = useIsFetching({ queryKey: cardLookupQuery(find ?? "", template).queryKey }) > 0
  const isLong = wanted.length > limits.cardReference
  const isEmail = isEmailAddress(wanted)
  const lookUp = (change: { find?: string; in: string | undefined }) =>
    void navigate({ search: (now) => ({ ...now, ...change }), replace: true, resetScroll: false })
  return (
    <SideDrawer
      title="Look up a card"
      onClose={onClose}
      onSubmit={(event) => {
        event.preventDefault()
        if (wanted !== "" && !isEmail && !isLong) lookUp({ find: wanted, in: undefined })
      }}
      foot={
        <>
          <Button
            type="submit"
            size="md"
            fullWidth
            disabled={wanted === "" || isEmail || isLong}
            loading={fetching}
            leftSection={<IconSearch {...buttonIcon} />}
          >
            Look up
          </Button>
        </>
      }
    >
      <Stack gap={16}>
        <TextInput
          {...field}
          label="Card id or reference"
          description={note ?? "The card id, or the external reference it was issued with."}
          error={isLong && `At most ${limits.cardReference} characters.`}
          data-autofocus
          {...cleaned}
        />
        {isEmail && (
          <Notice
            tone="info"
            title="Cards can’t be looked up by e-mail"
            action={<SearchLink text={wanted}>Search the register for {wanted}</SearchLink>}
          >
            The register can be searched by e-mail for every card issued here.
          </Notice>
        )}
        {find !== undefined && !isEmail && (
          <FoundCard
            key={`${find} ${template ?? ""}`}
            find={find}
            template={template}
            onTemplate={(chosen) => lookUp({ in: chosen })}
          />
        )}
      </Stack>
    </SideDrawer>
  )
}

function SearchLink({ text, children }: { text: string; children: ReactNode }) {
  return (
    <Link to="/cards" search={{ search: text }} className="l-link">
      {children}
    </Link>
  )
}

function FoundCard(props: {
  find: string
  template: string | undefined
  onTemplate: (template: string) => void
}) {
  const { find, template, onTemplate } = props
  const { data, error, isPending, refetch } = useQuery(cardLookupQuery(find, template))
  if (isPending) return <SkeletonRows rows={5} columns={[120, 200]} />
  if (error === null) {
    return (
      <>
        <FoundFacts card={data.data} />
        <RegisterState cardId={data.data.id} />
      </>
    )
  }
  if (error instanceof ApiError && error.details?.upstream_code === "AMBIGUOUS_EXTERNAL_REF") {
    const { title, detail } = explain(error)
    return (
      <>
        <Notice tone="warning" title={title} detail={detail}>
          {`More than one template has a card with the reference “${find}”. Choose the template.`}
        </Notice>
        <TemplateChoice onChoose={onTemplate} />
      </>
    )
  }
  if (!isUnknown(error))
    return <ErrorNotice error={error} what="Couldn’t look up the card." onRetry={refetch} />
  return (
    <>
      <Notice
        tone="danger"
        title={`The service has no card “${find}”${template === undefined ? "" : " there"}`}
        action={<SearchLink text={find}>Search the register</SearchLink>}
      >
        {template === undefined
          ? "It was looked up as a card id and as a reference. Check the spelling. Your own references may be in the register only."
          : `Not in template ${template}. The reference may belong to another template.`}
      </Notice>
      {template !== undefined && <TemplateChoice onChoose={onTemplate} />}
    </>
  )
}

/** The status for an unknown id is undocumented: any refusal without a code counts. */
function isUnknown(error: unknown): boolean {
  if (!(error instanceof ApiError) || error.details?.api !== "giftcard") return false
  const { upstream_status: status = 0, upstream_code: code } = error.details
  if (status === 404) return true
  return !code && status >= 400 && status < 500 && ![401, 402, 403, 408, 429].includes(status)
}

/** A reference is unique within one template only, so the user chooses the template. */
function TemplateChoice({ onChoose }: { onChoose: (template: string) => void }) {
  const { data: settings } = useQuery(cardTemplatesQuery)
  const { data: facets } = useQuery(cardFacetsQuery)
  const nameOf = useTemplateName()
  const [typed, setTyped] = useState("")
  const other = typed.trim()
  const known = new Set([...(settings?.templates.map(({ id }) => id) ?? []), ...(facets?.templates ?? [])])
  return (
    <Stack component="fieldset" gap={8}>
      <Box component="legend" mb={8} className="l-medium">
        Choose a template
      </Box>
      {[...known].map((id) => (
        <Button key={id} size="md" onClick={() => onChoose(id)}>
          {nameOf(id)}
        </Button>
      ))}
      <Group gap={8} align="end" wrap="nowrap">
        <TextInput
          {...field}
          className="grow"
          label="Another template id"
          value={typed}
          onChange={(event) => setTyped(event.currentTarget.value)}
          onKeyDown={(event) => {
            if (event.key !== "Enter" || event.nativeEvent.isComposing || other === "") return
            // The field is inside the drawer's form, whose Enter would repeat the lookup.
            event.preventDefault()
            onChoose(other)
          }}
        />
        <Button size="md" disabled={other === ""} onClick={() => onChoose(other)}>
          Look up in this template
        </Button>
      </Group>
    </Stack>
  )
}

function FoundFacts({ card }: { card: Card }) {
  const { id, status, amount, cardId, memberId, externalRef, isTest, expiresAt, issuedAt } = card
  const cents = typeof amount === "number" ? centsOf(amount) : null
  return (
    <>
      <Group justify="space-between" align="baseline" gap="4px 16px">
        <span className="figure-text">
          {cents === null ? <AsSent sent={rawValue(card, "amount")} /> : <CardMoney cents={cents} />}
        </span>
        <CardStatus card={{ status: status ?? null, is_test: isTest ?? null }} />
      </Group>
      <OutcomeFacts
        facts={[
          ["Card id", copied(id)],
          ["Template", cardId && <TemplateName id={cardId} />],
          ["Reference", externalRef && copied(externalRef)],
          ["Member", memberId && <MemberLink id={memberId} />],
          ["Issued", issuedAt && exact(issuedAt)],
          ["Expires", expiresAt && exact(expiresAt)],
        ]}
      />
    </>
  )
}

const copied = (text: string) => (
  <Box component="span" display="inline-block">
    <CopyText text={text} mono cut />
  </Box>
)

function RegisterState({ cardId }: { cardId: string }) {
  const { data, error, isPending, refetch } = useQuery({ ...cardQuery(cardId), retry: false })
  const adopt = useAdoptCard()
  if (isPending) return null
  const adopted = adopt.data !== undefined
  if (adopted || data !== undefined) {
    const known = data?.data.origin === "adopted" ? "In the register, issued elsewhere" : "In the register"
    return (
      <Notice
        tone="success"
        title={adopted ? "Added to the register" : known}
        action={
          <LinkButton size="md" variant="filled" to="/cards/$cardId" params={{ cardId }}>
            Open the card
          </LinkButton>
        }
      >
        {adopted ? "It was issued elsewhere, so its link can’t be revealed here." : null}
      </Notice>
    )
  }
  if (!(error instanceof ApiError) || error.status !== 404)
    return <ErrorNotice error={error} what="Couldn’t load the register." onRetry={refetch} />
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
      <ErrorNotice error={adopt.error} what="Couldn’t add the card." />
    </>
  )
}
