import { isEmail } from "../../../contract/email-address.ts"
import { Box, Checkbox, SimpleGrid, Stack, TextInput, UnstyledButton } from "@mantine/core"
import { useDebouncedValue } from "@mantine/hooks"
import { useQuery } from "@tanstack/react-query"
import { Link } from "@tanstack/react-router"
import { useId, useState } from "react"
import { type Control, useFormState, useWatch } from "react-hook-form"
import {
  type CardPairs,
  type CardTemplate,
  type CardTemplates,
  integrationDefault,
  type ReferenceCheck,
  type RefusedPair,
  refusalOfPair,
} from "../../../contract/cards.ts"
import { exactText } from "../../../contract/typed-text.ts"
import type { GiftcardRow } from "../../../contract/kinds/giftcard.ts"
import { limits } from "../../../contract/limits.ts"
import type { Member } from "../../../contract/program/member.ts"
import { explain } from "../../lib/errors.ts"
import { referenceCheckQuery } from "../../api/gift-cards.ts"
import { useSession } from "../../api/session.ts"
import { Button } from "../../ui/button.tsx"
import {
  FieldLabel,
  FoldedFields,
  SelectField,
  TextField,
  useExactText,
  useField,
} from "../../forms/fields.tsx"
import { FieldError } from "../../ui/field-parts.tsx"
import { ReferenceHolderLink } from "../../ui/record-link.tsx"
import { MemberOption, TypeAhead } from "../../forms/type-ahead.tsx"
import type { MemberSuggestions } from "../../forms/member-suggestions.ts"
import { centsOf, formatMoney, readDollars } from "../../lib/format.ts"
import { fullName } from "../../lib/names.ts"
import { shortDay } from "../../lib/time.ts"
import { useServerNow } from "../../ui/hooks.ts"
import { Notice } from "../../ui/notice.tsx"
import { Status } from "../../ui/status.tsx"
import { RelativeTime } from "../../ui/values.tsx"
import { type IssueValues, pairKey, readDays } from "./issue-model.ts"
import classes from "./issue.module.css"

export const twoFields = { cols: { base: 1, xs: 2 }, spacing: 12, verticalSpacing: 20 } as const

type IssueField = { control: Control<IssueValues, unknown, GiftcardRow> }

/** The recipient: an existing member, found by name or e-mail, or a new one. */
export function RecipientFields(
  props: IssueField & { found: MemberSuggestions; onPick: (member: Member) => void },
) {
  const { control, found, onPick } = props
  const { onBlur, onChange, value, ref, name, required, error } = useField({
    control,
    name: "email",
    label: "",
  })
  const [looking, setLooking] = useState(false)
  const typed = value.trim().toLowerCase()
  const named = found.members.find(({ email }) => email?.toLowerCase() === typed)
  return (
    <>
      <TypeAhead
        label="Recipient’s e-mail"
        listLabel="Members found"
        text={value}
        onText={(typed) => {
          setLooking(true)
          // Names may contain joiners.
          onChange(typed.includes("@") ? exactText(typed) : typed)
        }}
        // A complete e-mail leaves nothing to choose.
        open={looking && named === undefined}
        options={found.members}
        idOf={({ id }) => id}
        draw={(member) => (
          <MemberOption member={member}>
            {!isActive(member) && <Status of="member" value={member.status} />}
          </MemberOption>
        )}
        onPick={(member) => {
          setLooking(false)
          onPick(member)
        }}
        message={looking ? messageFor(value.trim(), found) : ""}
        field={{
          ref,
          name,
          required,
          error,
          placeholder: "E-mail, or a member’s name",
          "data-autofocus": true,
          onBlur: () => {
            if (looking && named !== undefined) onPick(named)
            setLooking(false)
            onBlur()
          },
        }}
      />
      <SimpleGrid {...twoFields}>
        <TextField control={control} name="firstname" label="First name" />
        <TextField control={control} name="lastname" label="Last name" />
      </SimpleGrid>
    </>
  )
}

function messageFor(text: string, found: MemberSuggestions): string {
  if (found.error !== null) return `Search failed: ${explain(found.error).title}.`
  if (found.searching) return "Searching…"
  if (text.length < 2 || text.includes("@") || found.members.length > 0 || !found.answered) return ""
  return `No members match “${text}”. For a new recipient, enter the full e-mail.`
}

/** Which member the service will match, or that it creates one (docs/api/giftcard.md, member creation rule). */
export function MatchNote(props: {
  email: string
  accountKey: string
  /** The recipient's, as typed. */
  name: string
  found: MemberSuggestions
  onAddKey: (() => void) | undefined
}) {
  const { email, accountKey, name, found, onAddKey } = props
  if (!isEmail(email)) return null
  const wanted = email.toLowerCase()
  const same = found.members.filter((member) => member.email?.toLowerCase() === wanted)
  if (found.error === null && same.length === 0 && !found.answered)
    return <Notice tone="info" title="Looking for a member with this e-mail…" />
  const action = onAddKey && (
    <UnstyledButton className="l-link l-meta" onClick={onAddKey}>
      Add an account key
    </UnstyledButton>
  )
  if (found.error !== null) {
    return (
      <Notice tone="warning" title="Couldn’t check who has this e-mail" action={action}>
        {explain(found.error).title}. The service matches by itself: a member with this e-mail gets the card,
        and without one a Pending member is created.
      </Notice>
    )
  }
  const [title, body] = matchText(same, accountKey.trim(), name)
  return (
    <Notice tone="info" title={title} action={action}>
      {body}
    </Notice>
  )
}

/** Metadata fields that may contain the account key. */
const keyFields = /^(?:external_?)?account_?(?:key|id|number|no)$/i

/** Whether a member's record shows this account key. No documented field has it, so absence proves nothing. */
function showsKey({ metadata }: Member, key: string): boolean {
  return Object.entries(metadata ?? {}).some(([name, value]) => keyFields.test(name) && String(value) === key)
}

/** Title and text about the recipient; `same` are the members who have the e-mail. */
function matchText(same: readonly Member[], key: string, typed: string): readonly [string, string] {
  const [first] = same
  const name = first && fullName(first)
  if (first !== undefined && key !== "" && showsKey(first, key)) {
    const body = "The e-mail belongs to the same member. Checked just now."
    return [`${name} has this account key and gets the card`, body]
  }
  if (key !== "") {
    const created = "a new pending member is created: no one has this e-mail"
    const otherwise = name === undefined ? created : `${name} gets it, by the e-mail`
    return [
      `A member with the account key “${key}” gets the card, if there is one`,
      `The account key is tried first, but Laurel can’t look it up. If no member has it, ${otherwise}.`,
    ]
  }
  const checked = "Checked just now."
  if (first === undefined) return ["No member has this e-mail: a pending member will be created", checked]
  if (same.length > 1) {
    const title = `${same.length} members have this e-mail: the service picks one`
    return [title, "Add an account key to choose which one."]
  }
  const status = isActive(first) ? "" : ` The member is ${first.status ?? "unknown"}.`
  const isOther = typed !== "" && name !== first.email && typed.toLowerCase() !== name?.toLowerCase()
  const other = isOther ? ` The name entered here is different: ${typed}.` : ""
  return [`${name} has this e-mail and gets the card`, `${checked}${status}${other}`]
}

const isActive = ({ status }: Member) => status?.toLowerCase() === "active"

/**
 * The card: a template of the settings, or an id when there are none. The current value `now` is always an option.
 */
export function TemplateField(props: IssueField & { settings: CardTemplates; now: string }) {
  const { control, settings, now } = props
  const { templates, default: usual } = settings
  if (templates.length === 0) {
    const help = (
      <>
        The service lists no templates. Empty takes the default one, “{integrationDefault}” leaves the choice
        to the service.{" "}
        <Link to="/settings/gift-cards" className="l-link">
          Add templates
        </Link>
      </>
    )
    return <TextField control={control} name="cardId" label="Card template id" optional help={help} />
  }
  const names = new Map(templates.map(({ id, name }) => [id, name]))
  for (const id of [usual, now]) if (id && !names.has(id)) names.set(id, id)
  names.set(integrationDefault, "Integration’s default")
  const options = Array.from(names, ([value, label]) => ({ value, label }))
  if (usual === null) options.unshift({ value: "", label: "Choose a card" })
  return <SelectField control={control} name="cardId" label="Card" options={options} />
}

/** The face value: one of the card's configured amounts, or another one. */
export function AmountField(props: IssueField & { template: CardTemplate | undefined; pairs: CardPairs }) {
  const { control, template, pairs } = props
  const { currency } = useSession().program
  const amounts = template?.denominations ?? []
  const isRefused = (amount: number) => refusalOfPair(pairs, template?.id, amount) !== undefined
  const { value, onChange, onBlur, ref, name, error } = useField({ control, name: "denomination", label: "" })
  const id = useId()
  const chosen = readDollars(value)
  const listed = amounts.includes(chosen)
  const { props: cleaned, note } = useExactText(listed ? "" : value, onChange)
  const helps = [
    amounts.length === 0 && "No amounts are set up for this card. The service decides which are valid.",
    !listed &&
      !Number.isNaN(chosen) &&
      "Not one of the amounts set up for this card. The service decides whether it’s valid.",
    "Amounts set up for this card. You can enter another; the service decides whether it’s valid.",
  ]
  return (
    <Stack component="fieldset" gap={4} aria-describedby={`${id}-help`}>
      <Box component="legend" w="100%" mb={4} fz="var(--l-fs-ui)" fw={500}>
        <FieldLabel label="Amount" aside={currency} />
      </Box>
      <div className={classes.chips}>
        {amounts.map((amount) => (
          <Button
            key={amount}
            size="md"
            px="sm"
            variant={amount === chosen ? "light" : "default"}
            aria-pressed={amount === chosen}
            {...(isRefused(amount) && { c: "var(--l-text-3)", td: "line-through" })}
            title={isRefused(amount) ? "Refused before" : undefined}
            // Keeps the focus in the previous field until the click: a blur could move this button.
            onMouseDown={(event) => event.preventDefault()}
            onClick={({ currentTarget }) => {
              onChange(String(amount))
              currentTarget.focus()
            }}
          >
            {formatMoney(centsOf(amount), currency).replace(/\.00$/, "")}
          </Button>
        ))}
        <TextInput
          {...{ onBlur, ref, name }}
          {...cleaned}
          description={note}
          size="md"
          aria-label={amounts.length === 0 ? "Amount" : "Another amount"}
          placeholder={amounts.length === 0 ? "For example, 50.00" : "Another"}
          inputMode="decimal"
          autoComplete="off"
          maxLength={12}
          error={error !== false}
          aria-describedby={`${id}-help`}
          style={amounts.length === 0 ? { gridColumn: "span 2" } : undefined}
        />
      </div>
      <span id={`${id}-help`} className="caption" data-tone="danger">
        {error ? <span className="tone-text">{error}</span> : helps.find(Boolean)}
      </span>
    </Stack>
  )
}

/** A template amount that the service refused before: sent again only after confirmation. */
export function RefusedPairNote(props: IssueField & { pair: RefusedPair; what: string }) {
  const { card_id, denomination, code, message, at } = props.pair
  const { value, onChange } = useField({ control: props.control, name: "confirmed", label: "" })
  const key = pairKey(card_id, denomination)
  return (
    <Notice tone="warning" title={`The service refused ${props.what} before`} detail={code}>
      It said “{message}”, <RelativeTime at={at} />. Choose another amount, or:
      <Checkbox
        mt={8}
        label="Try anyway"
        checked={value === key}
        onChange={({ currentTarget }) => onChange(currentTarget.checked ? key : "")}
      />
    </Notice>
  )
}

const { min, max } = limits.cardExpiryDays

export function DaysField({ control }: IssueField) {
  const label = "Valid for days"
  const field = useField({ control, name: "expiryDays", label, aside: `${min} to ${max}` })
  const now = useServerNow("half-minute")
  const days = readDays(field.value)
  const { props: cleaned, note } = useExactText(field.value, field.onChange)
  const ends = days >= min && days <= max ? `to ${shortDay(now + days * 86_400_000, now)}` : undefined
  return (
    <TextInput
      {...field}
      {...cleaned}
      description={note ?? field.description}
      inputMode="numeric"
      autoComplete="off"
      maxLength={8}
      rightSection={<span className="caption">{ends}</span>}
      rightSectionWidth={112}
      rightSectionPointerEvents="none"
    />
  )
}

/** The caller's own reference; `check` is the result of its lookup, if done. */
export function ReferenceField({ control, check }: IssueField & { check: ReferenceCheck | undefined }) {
  const unknown =
    "The gift-card service couldn’t be asked about this reference. If it has a card there, no second one is issued."
  const field = useField({
    control,
    name: "externalRef",
    label: "Reference",
    aside: "Unique for this card",
    optional: true,
    help: check?.state === "unknown" && unknown,
  })
  const taken = check?.state === "taken" && (
    <>
      <FieldError message="This reference already has a card of this template. For a second card, enter another reference." />
      {check.by && <ReferenceHolderLink by={check.by} />}
    </>
  )
  const { props: cleaned, note } = useExactText(field.value, field.onChange)
  return (
    <TextInput
      {...field}
      {...cleaned}
      description={note ?? field.description}
      classNames={{ input: "l-mono" }}
      autoComplete="off"
      spellCheck={false}
      error={field.error || taken}
    />
  )
}

/** References generated by the form; only Laurel's forms can have used one. */
const suggested = /^GC-[0-9A-F]{8}$/

/** Looks up whether the reference can be used; `check` is undefined while empty or pending. */
export function useReferenceCheck(cardId: string, typed: string) {
  const reference = typed.trim()
  const [rested] = useDebouncedValue(reference, 500)
  const { data, isLoading } = useQuery({
    ...referenceCheckQuery(cardId, rested, !suggested.test(rested)),
    enabled: rested !== "" && cardId !== "",
  })
  const isCurrent = rested === reference
  return { check: isCurrent ? (data ?? undefined) : undefined, checking: !isCurrent || isLoading }
}

const rare = ["accountKey", "mobile", "unsubscribeUrl"] as const

/** Rarely needed fields: account key, mobile, unsubscribe link. Collapsed, it lists its contents. */
export function MoreFields(props: IssueField & { open: boolean; onToggle: (open: boolean) => void }) {
  const { control, open, onToggle } = props
  const given = useWatch({ control, name: rare })
    .map((text) => text.trim())
    .filter((text) => text !== "")
  const { errors } = useFormState({ control })
  return (
    <FoldedFields
      label="Account key, mobile, unsubscribe link"
      given={given.length === 0 ? "none" : given.join(", ")}
      // Open when a field inside has an error.
      open={open || rare.some((name) => errors[name] !== undefined)}
      onToggle={onToggle}
    >
      <Stack gap={20}>
        <SimpleGrid {...twoFields}>
          <TextField control={control} name="accountKey" label="Account key" optional exact />
          <TextField control={control} name="mobile" label="Mobile" optional exact type="tel" />
        </SimpleGrid>
        <TextField
          control={control}
          name="unsubscribeUrl"
          label="Unsubscribe link"
          optional
          type="url"
          placeholder="https://"
          help="Included in the e-mail with the card."
        />
      </Stack>
    </FoldedFields>
  )
}
