import { useQuery } from "@tanstack/react-query"
import { lazy, Suspense } from "react"
import { useWatch } from "react-hook-form"
import type { Member } from "../../../../contract/program/member.ts"
import type { Reward } from "../../../../contract/program/reward.ts"
import { budgetQuery } from "../../../api/status.ts"
import { useSession } from "../../../api/session.ts"
import { DrawerForm, useDeskForm } from "../../../forms/form.tsx"
import { needsSubmissionNote, SubmissionNote, useSendJob } from "../../../forms/job-submission.tsx"
import { cost, formatCount } from "../../../lib/format.ts"
import { fullName } from "../../../lib/names.ts"
import { useListLayout } from "../../../lists/list-columns.ts"
import { ErrorNotice } from "../../../ui/error-notice.tsx"
import { SkeletonRows } from "../../../ui/query-state.tsx"
import { CheckList } from "./check-list.tsx"
import { ChosenMember } from "./chosen-member.tsx"
import { ChosenReward } from "./chosen-reward.tsx"
import { QuantityField } from "./quantity-field.tsx"
import { redeemChecks } from "./redeem-checks.ts"
import classes from "./redeem-fields.module.css"
import {
  addressNeed,
  firstValues,
  readQuantity,
  redeemJob,
  redeemSchema,
  redeemValues,
  type RedeemEntry,
  type RedeemValues,
} from "./redeem-model.ts"
import type { RedeemAddress } from "./redeem-search.ts"
import { redeemTitle, redeemWords } from "./redeem-words.ts"

const AddressFields = lazy(async () => ({ default: (await import("./address-fields.tsx")).AddressFields }))

/** Reward, balance and the member's orders are read before it is sent: that makes four. */
const requests = 4

interface RedeemFormProps {
  address: RedeemAddress
  member: Member
  reward: Reward
  /** Points available, read fresh; undefined while they are not known. */
  balance: number | undefined
  balanceError: Error | null
  /** What the fields begin with when something is corrected. */
  typed: RedeemValues | undefined
}

/** How many, where to, and whether it can be done at all. */
export function RedeemForm(props: RedeemFormProps) {
  const { address, member, reward, balance, balanceError, typed } = props
  const userId = useSession().user.id
  const key = `${userId}:redeem:${member.id}:${reward.id}`
  const need = addressNeed(reward.type)
  const send = useSendJob(key)
  const form = useDeskForm<RedeemValues, RedeemEntry>({
    schema: redeemSchema(need),
    values: firstValues(fullName(member)),
    typed,
    draft: { key, shape: redeemValues },
  })
  const { control } = form.methods
  const quantity = readQuantity(useWatch({ control, name: "quantity" }))
  const checks = redeemChecks({ member, reward, balance, quantity })
  const words = redeemWords(reward, quantity, fullName(member), useListLayout() === "phone")
  return (
    <DrawerForm
      title={redeemTitle}
      wide
      form={form}
      onClose={address.close}
      onSubmit={async (entry) => {
        const job = await send.mutateAsync(redeemJob(member.id, reward.id, entry))
        form.dropDraft()
        address.go({ job: job.id })
      }}
      submitError={send.error}
      {...(needsSubmissionNote(send.error)
        ? { errorNote: <SubmissionNote error={send.error} button={words.action} /> }
        : {})}
      busy={send.isPending}
      held={checks.some(({ state }) => state === "no")}
      notDone="Nothing was redeemed."
      action={words.action}
      running={words.running}
      costs={useCostLine()}
    >
      <ChosenMember
        id={member.id}
        member={member}
        balance={balance}
        error={null}
        onChange={() => address.go({ for: undefined })}
      />
      <div className={classes.what}>
        <ChosenReward
          id={reward.id}
          reward={reward}
          error={null}
          onChange={address.rewardFixed ? undefined : () => address.go({ reward: undefined })}
        />
        <QuantityField control={control} />
      </div>
      <CheckList checks={checks} />
      {balanceError !== null && balance === undefined && (
        <ErrorNotice
          error={balanceError}
          what="Couldn’t load the balance. You can still redeem; the service decides."
        />
      )}
      {need !== "none" && (
        <Suspense fallback={<SkeletonRows rows={4} columns={[200, 160]} />}>
          <AddressFields control={control} optional={need === "optional"} />
        </Suspense>
      )}
    </DrawerForm>
  )
}

/** "4 requests, 42 left this minute". */
function useCostLine(): string {
  const { data } = useQuery(budgetQuery)
  const left = data?.find(({ api }) => api === "program")?.left
  return left === undefined
    ? cost(requests)
    : `${requests} requests, ${formatCount(left)} left this minute. Sent once.`
}
