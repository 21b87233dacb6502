import { Box, Flex } from "@mantine/core"
import { useQuery, useQueryClient } from "@tanstack/react-query"
import { getRouteApi, useNavigate } from "@tanstack/react-router"
import { lazy, Suspense, useState, type ReactNode } from "react"
import { useWatch } from "react-hook-form"
import { limits } from "../../../contract/limits.ts"
import type { Member } from "../../../contract/program/member.ts"
import { redeemRow } from "../../../contract/kinds/redeem.ts"
import type { Reward } from "../../../contract/program/reward.ts"
import { jobKindDescriptors } from "../../../contract/job-kinds.ts"
import { memberQuery } from "../../api/members.ts"
import { orderQuery } from "../../api/orders.ts"
import { balanceQuery, refetchPoints, useBalanceAwaited } from "../../api/points.ts"
import { refetchRewards, rewardQuery } from "../../api/rewards.ts"
import { useSession } from "../../api/session.ts"
import { useLeaveDrawer } from "../../forms/form.tsx"
import { JobDrawer, JobForm, useDraftKey, useJobForm } from "../../forms/job-drawer.tsx"
import { JobOutcome, useJobOutcome } from "../../forms/job-outcome.tsx"
import { MemberPicker } from "../../forms/type-ahead.tsx"
import { CodeReveal } from "../../forms/reveal.tsx"
import { formatPoints } from "../../lib/format.ts"
import { fullName } from "../../lib/names.ts"
import { useListLayout } from "../../lists/list-columns.ts"
import { ErrorNotice, Notice } from "../../ui/notice.tsx"
import { SkeletonRows } from "../../ui/query-state.tsx"
import { SideDrawer } from "../../ui/side-drawer.tsx"
import { Status } from "../../ui/status.tsx"
import { Avatar } from "../../ui/values.tsx"
import { OrderLink } from "../../ui/record-link.tsx"
import { CheckList, Chosen, LargeQuantityNote, QuantityField, RewardPicker } from "./redeem-fields.tsx"
import {
  addressNeed,
  firstValues,
  piecesText,
  readQuantity,
  totalCost,
  redeemChecks,
  redeemLabels,
  redeemSchema,
  redeemValues,
  type RedeemEntry,
  type RedeemValues,
  toFormValues,
} from "./redeem-model.ts"
import { rewardAbout, rewardName, RewardPicture } from "./reward-view.tsx"

const AddressFields = lazy(async () => ({ default: (await import("./address-fields.tsx")).AddressFields }))

/** Redeems a reward for a member in a drawer above any page: member, reward, form, and the outcome in its place. */
export function RedeemDrawer() {
  const { outcome, go, close } = useRedeemAddress()
  return (
    <JobDrawer<RedeemValues>
      kind="redeem"
      wide
      jobId={outcome}
      onClose={close}
      renderForm={(typed) => <RedeemSteps typed={typed} />}
      renderOutcome={(sentJob, retype) => (
        <RedeemOutcome
          jobId={sentJob}
          onCorrect={(values, memberId, rewardId) => {
            retype(values)
            go({ outcome: undefined, for: memberId, reward_id: rewardId })
          }}
          onClose={close}
        />
      )}
    />
  )
}

const route = getRouteApi("/_app")

/** Reads and changes the drawer's search params. Steps inside it replace the URL, so Back closes it. */
function useRedeemAddress() {
  const { for: named, reward_id: rewardId, outcome } = route.useSearch()
  const navigate = useNavigate()
  const go = (
    change: { act?: undefined } & Partial<Record<"for" | "reward_id" | "outcome", string | undefined>>,
  ) => void navigate({ to: ".", search: (now) => ({ ...now, ...change }), replace: true, resetScroll: false })
  const close = useLeaveDrawer(() =>
    go({ act: undefined, for: undefined, reward_id: undefined, outcome: undefined }),
  )
  return { memberId: [named].flat()[0], rewardId, outcome, go, close }
}

/** Requested from the service when the drawer opens, and not refetched while the user types. */
const once = { staleTime: 0, refetchOnWindowFocus: false } as const

/**
 * Member and reward are chosen first. Balance and stock decide whether it is possible, so both bypass every cache;
 * until then cached reward data is shown.
 */
function RedeemSteps({ typed }: { typed: RedeemValues | undefined }) {
  const { memberId, rewardId, go, close } = useRedeemAddress()
  const hasMember = memberId !== undefined
  const memberRead = useQuery({ ...memberQuery(memberId ?? "none"), enabled: hasMember })
  const rewardRead = useQuery({
    ...rewardQuery(rewardId ?? "none", { fresh: true }),
    ...once,
    enabled: rewardId !== undefined,
  })
  useBalanceAwaited(memberId ?? "none", hasMember)
  const balanceRead = useQuery({
    ...balanceQuery(memberId ?? "none", { fresh: true }),
    ...once,
    enabled: hasMember,
  })
  const member = memberRead.data?.data
  const reward = rewardRead.data?.data
  const balance = balanceRead.data?.data.balance ?? undefined
  const memberField = hasMember ? (
    <ChosenMember
      id={memberId}
      member={member}
      balance={balance}
      error={memberRead.error}
      onChange={() => go({ for: undefined })}
    />
  ) : (
    <MemberPicker label="Member" onPick={({ id }) => go({ for: id })} />
  )
  const rewardField =
    rewardId === undefined ? (
      hasMember && <RewardPicker balance={balance} onPick={({ id }) => go({ reward_id: id })} />
    ) : (
      <ChosenReward
        id={rewardId}
        reward={reward}
        error={rewardRead.error}
        onChange={() => go({ reward_id: undefined })}
      />
    )
  if (member === undefined || reward === undefined) {
    return (
      // A new drawer once a member is chosen, so that the focus moves on to the reward.
      <SideDrawer key={String(hasMember)} title={jobKindDescriptors.redeem.labels.title} wide onClose={close}>
        {memberField}
        {rewardField}
      </SideDrawer>
    )
  }
  return (
    <RedeemForm
      key={`${member.id} ${reward.id}`}
      {...{ typed, member, reward, balance, memberField, rewardField }}
      balanceError={balanceRead.error}
    />
  )
}

interface ChosenProps {
  id: string
  error: Error | null
  onChange: () => void
}

function ChosenMember(props: ChosenProps & { member: Member | undefined; balance: number | undefined }) {
  const { id, member, balance, error, onChange } = props
  const name = member === undefined ? id : fullName(member)
  return (
    <Chosen
      noun="member"
      picture={<Avatar name={name} accent />}
      name={name}
      about={member?.email ?? member?.company}
      points={balance === undefined ? undefined : `${formatPoints(balance)} points`}
      error={member === undefined ? error : null}
      onChange={onChange}
    />
  )
}

function ChosenReward({ id, reward, error, onChange }: ChosenProps & { reward: Reward | undefined }) {
  const cost = reward?.points_cost
  return (
    <Chosen
      noun="reward"
      picture={<RewardPicture src={reward?.image_url} size="small" />}
      name={reward === undefined ? id : rewardName(reward)}
      about={reward && rewardAbout(reward)}
      points={typeof cost === "number" ? `${formatPoints(cost)} each` : undefined}
      error={reward === undefined ? error : null}
      onChange={onChange}
    />
  )
}

/** Reward, balance and the member's orders are read before it is sent: that makes four. */
const requests = 4

function RedeemForm(props: {
  typed: RedeemValues | undefined
  member: Member
  reward: Reward
  balance: number | undefined
  balanceError: Error | null
  memberField: ReactNode
  rewardField: ReactNode
}) {
  const { member, reward, balance, balanceError, typed } = props
  const { go, close } = useRedeemAddress()
  const need = addressNeed(reward.type)
  const job = useJobForm<RedeemValues, RedeemEntry>({
    kind: "redeem",
    draftKey: useDraftKey(`redeem:${member.id}:${reward.id}`),
    schema: () => redeemSchema(need),
    values: firstValues(fullName(member), useSession().program.country),
    typed,
    shape: redeemValues,
  })
  const { control } = job.form.methods
  const quantity = readQuantity(useWatch({ control, name: "quantity" }))
  const checks = redeemChecks({ member, reward, balance, quantity })
  const [confirmed, setConfirmed] = useState<number>()
  const isLarge = quantity > limits.quantity.askAbove
  const isUnasked = isLarge && confirmed !== quantity
  return (
    <JobForm
      job={job}
      wide
      onClose={close}
      body={(entry) => ({
        rows: [
          {
            member_id: member.id,
            reward_id: reward.id,
            ...entry,
            expected_cost: totalCost(reward, entry.quantity ?? 1),
          },
        ],
      })}
      onSent={(outcome) => go({ outcome })}
      {...redeemLabels(reward, quantity, fullName(member), useListLayout() === "phone")}
      requests={requests}
      disabled={isUnasked || checks.some(({ state }) => state === "no")}
    >
      {props.memberField}
      <Flex direction={{ base: "column", xs: "row" }} gap={12}>
        <Box flex={1} miw={0}>
          {props.rewardField}
        </Box>
        <QuantityField form={job.form.methods} />
      </Flex>
      {isLarge && (
        <LargeQuantityNote
          quantity={quantity}
          isConfirmed={!isUnasked}
          onConfirm={(yes) => setConfirmed(yes ? quantity : undefined)}
        />
      )}
      <CheckList checks={checks} />
      {balance === undefined && (
        <ErrorNotice
          error={balanceError}
          what="Couldn’t load the balance. You can still redeem; the service decides."
        />
      )}
      {need !== "none" && (
        <Suspense fallback={<SkeletonRows rows={4} columns={[200, 160]} />}>
          <AddressFields form={job.form.methods} memberId={member.id} optional={need === "optional"} />
        </Suspense>
      )}
    </JobForm>
  )
}

/** The status of a redemption, with its order and, for a digital reward, its code. */
function RedeemOutcome(props: {
  jobId: string
  onCorrect: (values: RedeemValues, memberId: string, rewardId: string) => void
  onClose: () => void
}) {
  const { jobId, onCorrect, onClose } = props
  const queryClient = useQueryClient()
  const outcome = useJobOutcome(
    jobId,
    ({ row }) => redeemRow.safeParse(row.input).data,
    ({ member_id, reward_id }) => {
      refetchPoints(queryClient, [member_id])
      refetchRewards(queryClient, reward_id)
    },
  )
  const { sent, one } = outcome
  const member = useQuery({ ...memberQuery(sent?.member_id ?? "none"), enabled: sent !== undefined })
  const reward = useQuery({ ...rewardQuery(sent?.reward_id ?? "none"), enabled: sent !== undefined })
  const orderId = one?.status === "confirmed" ? one.row.upstream_id : null
  const order = useQuery({ ...orderQuery(orderId ?? "none"), enabled: orderId !== null })
  return (
    <JobOutcome kind="redeem" wide outcome={outcome} onClose={onClose}>
      {(input, { row }) => {
        const known = reward.data?.data ?? { id: input.reward_id }
        const quantity = input.quantity ?? 1
        const name =
          member.data === undefined ? (row.member?.label ?? input.member_id) : fullName(member.data.data)
        const spent = order.data?.data.points_spent
        const status = order.data?.data.status
        return {
          doing: redeemLabels(known, quantity, name).running,
          done: `${piecesText(quantity, rewardName(known))} redeemed for ${name}`,
          remarks: (
            <>
              {row.outcome !== null && (
                <Notice
                  tone="warning"
                  title={
                    row.outcome.code === "matched_by_time" ? "Matched by time, not by reference" : "Note"
                  }
                >
                  {row.outcome.message}
                </Notice>
              )}
              {orderId !== null && reward.data?.data.type?.toLowerCase() === "digital" && (
                <CodeReveal orderId={orderId} />
              )}
            </>
          ),
          facts: [
            ["Order", orderId !== null && <OrderLink id={orderId} />],
            [
              "Points spent",
              typeof spent === "number" ? (
                <span className="l-num">{formatPoints(spent)}</span>
              ) : (
                order.error !== null && "not loaded"
              ),
            ],
            ["Status", status && <Status of="order" value={status} />],
          ],
          onCorrect: () => onCorrect(toFormValues(input), input.member_id, input.reward_id),
        }
      }}
    </JobOutcome>
  )
}
