import { useState } from "react"
import { useWatch } from "react-hook-form"
import { type CardPairs, type CardTemplates, refusalOfPair } from "../../../../contract/cards.ts"
import type { GiftcardRow } from "../../../../contract/job-rows.ts"
import type { Member } from "../../../../contract/program/member.ts"
import { useSession } from "../../../api/session.ts"
import {
  needsSubmissionNote,
  submissionKey,
  SubmissionNote,
  useAmountRefusal,
  useSendJob,
} from "../../../forms/job-submission.tsx"
import { DrawerForm, useDeskForm } from "../../../forms/form.tsx"
import { useMemberSuggestions } from "../../../forms/member-picker.tsx"
import { centsOf, formatMoney, readDollars } from "../../../lib/format.ts"
import { ErrorNotice } from "../../../ui/error-notice.tsx"
import { AmountField } from "./amount-field.tsx"
import { IssueForecast } from "./issue-forecast.tsx"
import classes from "../issue.module.css"
import { firstValues, issueJob, issueSchema, issueValues, pairKey, type IssueValues } from "../issue-model.ts"
import type { IssueAddress } from "../search.ts"
import { issueTitle, issueWords, notIssued } from "./issue-words.ts"
import { MatchNote } from "./match-note.tsx"
import { MoreFields } from "./more-fields.tsx"
import { PairNote } from "./pair-note.tsx"
import { RecipientFields } from "./recipient-fields.tsx"
import { TemplateField } from "./template-field.tsx"
import { TermFields, useReferenceCheck } from "./term-fields.tsx"

interface IssueFormProps {
  address: IssueAddress
  /** Whom it was opened for. */
  member: Member | undefined
  /** Why that member could not be read. */
  memberError: Error | null
  settings: CardTemplates
  pairs: CardPairs
  /** What the fields begin with when something is corrected. */
  typed: IssueValues | undefined
}

/** Whom, which card, how much; what it draws and who will be matched stands there before anything is sent. */
export function IssueForm({ address, member, memberError, settings, pairs, typed }: IssueFormProps) {
  const { user, program } = useSession()
  const key = `${user.id}:issue-card:${member?.id ?? ""}`
  const send = useSendJob(key)
  const usual = settings.default ?? (settings.templates.length === 1 ? settings.templates[0]?.id : undefined)
  const [begin] = useState(() => firstValues(member, usual ?? "", suggestedReference(key)))
  const refusalOf = useAmountRefusal("giftcard", send.error)
  const form = useDeskForm<IssueValues, GiftcardRow>({
    schema: issueSchema((cents) => refusalOf(cents, cents)),
    values: begin,
    typed,
    draft: { key, shape: issueValues },
  })
  const { control, setValue } = form.methods
  const values = useWatch({ control })
  const { email = "", firstname = "", lastname = "", accountKey = "", cardId = "" } = values
  const dollars = readDollars(values.denomination ?? "")
  const [more, setMore] = useState(false)
  const found = useMemberSuggestions(email.trim().replace(/\s+/g, " "))
  const template = settings.templates.find(({ id }) => id === cardId)
  const taken = useReferenceCheck(control)?.state === "taken"
  const pair = refusalOfPair(pairs, cardId, dollars)
  const whom = `${firstname.trim()} ${lastname.trim()}`.trim() || email.trim()
  const words = issueWords(dollars, whom, program.currency)
  const pick = (picked: Member) => {
    for (const [name, text] of [
      ["email", picked.email],
      ["firstname", picked.first_name],
      ["lastname", picked.last_name],
    ] as const) {
      setValue(name, text ?? "", { shouldDirty: true })
    }
    form.methods.clearErrors(["email", "firstname", "lastname"])
  }
  return (
    <DrawerForm
      title={issueTitle}
      wide
      form={form}
      onClose={address.close}
      onSubmit={async (row) => {
        const job = await send.mutateAsync(issueJob(row))
        form.dropDraft()
        address.go({ issued: job.id })
      }}
      submitError={send.error}
      {...(needsSubmissionNote(send.error)
        ? { errorNote: <SubmissionNote error={send.error} button={words.action} /> }
        : {})}
      busy={send.isPending}
      held={(pair !== undefined && values.confirmed !== pairKey(cardId, dollars)) || taken}
      notDone={notIssued}
      action={words.action}
      running={words.running}
      preview={
        <IssueForecast
          cents={Number.isNaN(dollars) ? undefined : centsOf(dollars)}
          currency={program.currency}
        />
      }
      costs="1 request. Retries never issue a second card."
    >
      {memberError !== null && member === undefined && (
        <ErrorNotice error={memberError} what="Couldn’t load the member. Enter the recipient." />
      )}
      <RecipientFields control={control} found={found} onPick={pick} />
      <MatchNote
        email={email.trim()}
        accountKey={accountKey}
        found={found}
        onAddKey={more ? undefined : () => setMore(true)}
      />
      <div className={classes.card}>
        <TemplateField control={control} settings={settings} now={cardId} />
        <AmountField
          control={control}
          amounts={template?.denominations ?? []}
          refused={pairs.refused
            .filter((each) => each.card_id === cardId)
            .map(({ denomination }) => denomination)}
          currency={program.currency}
        />
        {pair !== undefined && (
          <PairNote
            control={control}
            pair={pair}
            what={`${formatMoney(centsOf(dollars), program.currency)} of ${template?.name ?? cardId}`}
          />
        )}
        <TermFields control={control} />
      </div>
      <MoreFields control={control} open={more} onToggle={setMore} />
    </DrawerForm>
  )
}

/** A reference that nobody has: it follows from the key this draft is sent with, so that a reload keeps it. */
function suggestedReference(key: string): string {
  return `GC-${submissionKey(key).slice(0, 8).toUpperCase()}`
}
