import { TextInput } from "@mantine/core"
import { useDebouncedValue } from "@mantine/hooks"
import { useQuery } from "@tanstack/react-query"
import { useController, useWatch, type Control } from "react-hook-form"
import type { GiftcardRow } from "../../../../contract/job-rows.ts"
import { limits } from "../../../../contract/limits.ts"
import type { ReferenceCheck } from "../../../../contract/cards.ts"
import { referenceCheckQuery } from "../../../api/gift-cards.ts"
import { ReferenceHolderLink } from "../../../forms/job-link.tsx"
import { FieldError } from "../../../forms/fields.tsx"
import { shortDay } from "../../../lib/time.ts"
import { useNow } from "../../../ui/hooks.ts"
import classes from "../issue.module.css"
import { readDays, type IssueValues } from "../issue-model.ts"

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
      rightSection={<span className="l-meta text-muted">{ends}</span>}
      rightSectionWidth={112}
      rightSectionPointerEvents="none"
      error={message === undefined ? undefined : <FieldError message={message} />}
    />
  )
}

function ReferenceField({ control }: { control: IssueControl }) {
  const { field, fieldState } = useController({ control, name: "externalRef" })
  const message = fieldState.error?.message
  const check = useReferenceCheck(control)
  const taken =
    check?.state === "taken"
      ? "This reference already has a card of this template. For a second card, enter another reference."
      : undefined
  const problem = message ?? taken
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
        check?.state === "unknown"
          ? "The gift-card service couldn’t be asked about this reference. If it has a card there, no second one is issued."
          : undefined
      }
      error={
        problem === undefined ? undefined : (
          <>
            <FieldError message={problem} />
            {message === undefined && check?.by && <ReferenceHolderLink by={check.by} />}
          </>
        )
      }
    />
  )
}

/** References that the form makes up: nothing but a form of this desk can have used one. */
const suggested = /^GC-[0-9A-F]{8}$/

/** Whether the reference in the form can be used; undefined while nothing is typed, or not looked up yet. */
export function useReferenceCheck(control: IssueControl): ReferenceCheck | undefined {
  const [typed, cardId] = useWatch({ control, name: ["externalRef", "cardId"] })
  const reference = typed.trim()
  const [rested] = useDebouncedValue(reference, 500)
  const { data } = useQuery({
    ...referenceCheckQuery(cardId, rested, !suggested.test(rested)),
    enabled: rested !== "" && cardId !== "",
  })
  return rested === reference ? (data ?? undefined) : undefined
}

function Label({ words, aside }: { words: string; aside: string }) {
  return (
    <span className={classes.label}>
      {words} <span className="l-meta text-muted">{aside}</span>
    </span>
  )
}
