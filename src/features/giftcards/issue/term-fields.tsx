import { TextInput } from "@mantine/core"
import "@mantine/core/styles/Input.layer.css"
import { useDebouncedValue } from "@mantine/hooks"
import { useQuery } from "@tanstack/react-query"
import { useController, useWatch, type Control } from "react-hook-form"
import type { GiftcardRow } from "../../../../contract/desk/job-rows-giftcard.ts"
import { limits } from "../../../../contract/limits.ts"
import { cardsQuery } from "../../../api/cards.ts"
import { FieldError } from "../../../form/field-error.tsx"
import { shortDay } from "../../../lib/time.ts"
import { useNow } from "../../../ui/use-now.ts"
import classes from "./issue.module.css"
import { readDays, type IssueValues } from "./issue-model.ts"

type IssueControl = Control<IssueValues, unknown, GiftcardRow>

const { min, max } = limits.cardExpiryDays
const dayMs = 86_400_000

/** How long the card lives, and what it is called in the caller's own books. */
export function TermFields({ control }: { control: IssueControl }) {
  return (
    <div className={classes.two}>
      <DaysField control={control} />
      <ReferenceField control={control} />
    </div>
  )
}

function DaysField({ control }: { control: IssueControl }) {
  const { field, fieldState } = useController({ control, name: "expiryDays" })
  const now = useNow("half-minute")
  const days = readDays(field.value)
  const message = fieldState.error?.message
  const ends = days >= min && days <= max ? `to ${shortDay(now + days * dayMs, now)}` : undefined
  return (
    <TextInput
      {...field}
      size="md"
      label={<Label words="Valid for days" aside={`${min} to ${max}`} />}
      inputMode="numeric"
      autoComplete="off"
      maxLength={8}
      required
      rightSection={<span className="l-meta l-3">{ends}</span>}
      rightSectionWidth={112}
      rightSectionPointerEvents="none"
      error={message === undefined ? undefined : <FieldError message={message} />}
    />
  )
}

function ReferenceField({ control }: { control: IssueControl }) {
  const { field, fieldState } = useController({ control, name: "externalRef" })
  const cardId = useWatch({ control, name: "cardId" })
  const message = fieldState.error?.message
  const used = useUsedReference(field.value.trim(), cardId)
  return (
    <TextInput
      {...field}
      size="md"
      classNames={{ input: "l-mono" }}
      label={<Label words="Reference" aside="Unique for this card" />}
      autoComplete="off"
      spellCheck={false}
      maxLength={limits.cardReference}
      description={
        used === undefined
          ? undefined
          : `Card ${used} already has this reference: Laurel sends its own and keeps yours beside it.`
      }
      error={message === undefined ? undefined : <FieldError message={message} />}
    />
  )
}

/** Id of a card of the register that has this reference on this template: asked of the desk's own store. */
function useUsedReference(reference: string, cardId: string): string | undefined {
  const [rested] = useDebouncedValue(reference, 400)
  const { data, isPlaceholderData } = useQuery({
    ...cardsQuery({ search: rested, template: cardId, per_page: 10 }),
    enabled: rested !== "" && cardId !== "",
  })
  if (isPlaceholderData || rested !== reference) return undefined
  return data?.data.find((card) => [card.reference, card.own_reference].includes(reference))?.id
}

function Label({ words, aside }: { words: string; aside: string }) {
  return (
    <span className={classes.label}>
      {words} <span className="l-meta l-3">{aside}</span>
    </span>
  )
}
