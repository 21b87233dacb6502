import { Box, Flex } from "@mantine/core"
import { useQuery } from "@tanstack/react-query"
import { getRouteApi, useNavigate } from "@tanstack/react-router"
import { lazy, Suspense, type ReactNode } from "react"
import { useWatch } from "react-hook-form"
import type { Member } from "../../../contract/program/member.ts"
import type { Reward } from "../../../contract/program/reward.ts"
import { jobKindDescriptors } from "../../../contract/job-kinds.ts"
import { memberQuery } from "../../api/members.ts"
import { balanceQuery } from "../../api/points.ts"
import { rewardQuery } from "../../api/rewards.ts"
import { useLeaveDrawer } from "../../forms/form.tsx"
import { JobDrawer, JobForm, useDraftKey, useJobForm } from "../../forms/job-drawer.tsx"
import { MemberPicker } from "../../forms/member-picker.tsx"
import { formatPoints } from "../../lib/format.ts"
import { fullName } from "../../lib/names.ts"
import { useListLayout } from "../../lists/list-columns.ts"
import { ErrorNotice } from "../../ui/error-notice.tsx"
import { SkeletonRows } from "../../ui/query-state.tsx"
import { SideDrawer } from "../../ui/side-drawer.tsx"
import { Avatar } from "../../ui/values.tsx"
import { CheckList, Chosen, QuantityField, RewardPicker } from "./redeem-fields.tsx"
import {
  addressNeed,
  firstValues,
  readQuantity,
  redeemChecks,
  redeemLabels,
  redeemSchema,
  redeemValues,
  type RedeemEntry,
  type RedeemValues,
} from "./redeem-model.ts"
import { RedeemOutcome } from "./redeem-outcome.tsx"
import { rewardAbout, rewardName, RewardPicture } from "./reward-view.tsx"

const AddressFields = lazy(async () => ({ default: (await import("./address-fields.tsx")).AddressFields }))

const aboveList = getRouteApi("/_app/rewards/redeem")
const abovePage = getRouteApi("/_app/rewards_/$rewardId/redeem")

/** The redeem drawer above the catalogue: member and reward are both in the address. */
export function RedeemAboveList() {
  const { for: memberId, reward: rewardId, job: jobId } = aboveList.useSearch()
  const navigate = aboveList.useNavigate()
  const onClose = useLeaveDrawer(
    () =>
      void navigate({
        to: "/rewards",
        search: ({ for: _for, reward: _reward, job: _job, ...rest }) => rest,
        resetScroll: false,
      }),
  )
  return <RedeemDrawer {...{ memberId, rewardId, jobId, onClose }} />
}

/** The redeem drawer above a reward's page. */
export function RedeemAbovePage() {
  const { for: memberId, job: jobId } = abovePage.useSearch()
  const { rewardId } = abovePage.useParams()
  const navigate = abovePage.useNavigate()
  const onClose = useLeaveDrawer(
    () => void navigate({ to: "/rewards/$rewardId", params: { rewardId }, resetScroll: false }),
  )
  return <RedeemDrawer {...{ memberId, rewardId, jobId, onClose }} rewardFixed />
}

interface RedeemDrawerProps {
  memberId: string | undefined
  rewardId: string | undefined
  jobId: string | undefined
  /** The page behind is the reward's own: no other can be chosen. */
  rewardFixed?: boolean
  onClose: () => void
}

/** Another member, reward or outcome; undefined takes one away. Steps replace each other: Back leaves the drawer. */
function useGo() {
  const navigate = useNavigate()
  return (change: Partial<Record<"for" | "reward" | "job", string | undefined>>) =>
    void navigate({
      to: ".",
      search: (now) => ({ ...now, ...change }),
      replace: true,
      resetScroll: false,
    })
}

function RedeemDrawer(props: RedeemDrawerProps) {
  const { jobId, rewardFixed = false, onClose } = props
  const go = useGo()
  return (
    <JobDrawer<RedeemValues>
      kind="redeem"
      wide
      jobId={jobId}
      onClose={onClose}
      renderForm={(typed) => <RedeemSteps {...props} typed={typed} />}
      renderOutcome={(sentJob, retype) => (
        <RedeemOutcome
          jobId={sentJob}
          onCorrect={(values, memberId, rewardId) => {
            retype(values)
            go({ job: undefined, for: memberId, ...(!rewardFixed && { reward: rewardId }) })
          }}
          onClose={onClose}
        />
      )}
    />
  )
}

interface Typed {
  typed: RedeemValues | undefined
}

/** Requested from the service itself when the drawer opens, and not again while somebody types. */
const once = { staleTime: 0, refetchOnWindowFocus: false } as const

/**
 * The member and the reward are chosen first. Balance and stock decide whether it can be done, so both are read past
 * every cache; until then what is known of the reward is shown.
 */
function RedeemSteps(props: RedeemDrawerProps & Typed) {
  const { memberId, rewardId, rewardFixed = false, onClose } = props
  const go = useGo()
  const needsMember = memberId === undefined
  const needsReward = rewardId === undefined
  const memberRead = useQuery({ ...memberQuery(memberId ?? "none"), enabled: !needsMember })
  const rewardRead = useQuery({
    ...rewardQuery(rewardId ?? "none", { fresh: true }),
    ...once,
    enabled: !needsReward,
  })
  const balanceRead = useQuery({
    ...balanceQuery(memberId ?? "none", { fresh: true }),
    ...once,
    enabled: !needsMember,
  })
  const member = memberRead.data?.data
  const reward = rewardRead.data?.data
  const balance = balanceRead.data?.data.balance ?? undefined
  const memberName = member === undefined ? (memberId ?? "") : fullName(member)
  const memberField = needsMember ? (
    <MemberPicker label="Member" onPick={({ id }) => go({ for: id })} />
  ) : (
    <Chosen
      noun="member"
      picture={<Avatar name={memberName} accent />}
      name={memberName}
      about={member?.email ?? member?.company}
      points={balance === undefined ? undefined : `${formatPoints(balance)} points`}
      error={member === undefined && memberRead.error}
      onChange={() => go({ for: undefined })}
    />
  )
  const cost = reward?.points_cost
  const rewardField = needsReward ? (
    !needsMember && <RewardPicker balance={balance} onPick={({ id }) => go({ reward: id })} />
  ) : (
    <Chosen
      noun="reward"
      picture={<RewardPicture src={reward?.image_url} size="small" />}
      name={reward === undefined ? rewardId : rewardName(reward)}
      about={reward && rewardAbout(reward)}
      points={typeof cost === "number" ? `${formatPoints(cost)} each` : undefined}
      error={reward === undefined && rewardRead.error}
      onChange={rewardFixed ? undefined : () => go({ reward: undefined })}
    />
  )
  if (member === undefined || reward === undefined) {
    return (
      <SideDrawer title={jobKindDescriptors.redeem.labels.title} wide onClose={onClose}>
        {memberField}
        {rewardField}
      </SideDrawer>
    )
  }
  return (
    <RedeemForm
      {...{ ...props, member, reward, balance, memberField, rewardField }}
      key={`${member.id} ${reward.id}`}
      balanceError={balanceRead.error}
    />
  )
}

/** Reward, balance and the member's orders are read before it is sent: that makes four. */
const requests = 4

interface RedeemFormProps extends RedeemDrawerProps, Typed {
  member: Member
  reward: Reward
  balance: number | undefined
  balanceError: Error | null
  memberField: ReactNode
  rewardField: ReactNode
}

function RedeemForm(props: RedeemFormProps) {
  const { member, reward, balance, balanceError, typed } = props
  const go = useGo()
  const need = addressNeed(reward.type)
  const job = useJobForm<RedeemValues, RedeemEntry>({
    kind: "redeem",
    draftKey: useDraftKey(`redeem:${member.id}:${reward.id}`),
    schema: () => redeemSchema(need),
    values: firstValues(fullName(member)),
    typed,
    shape: redeemValues,
  })
  const { control } = job.form.methods
  const quantity = readQuantity(useWatch({ control, name: "quantity" }))
  const checks = redeemChecks({ member, reward, balance, quantity })
  return (
    <JobForm
      job={job}
      wide
      onClose={props.onClose}
      body={(entry) => ({ rows: [{ member_id: member.id, reward_id: reward.id, ...entry }] })}
      onSent={(id) => go({ job: id })}
      {...redeemLabels(reward, quantity, fullName(member), useListLayout() === "phone")}
      requests={requests}
      costNote="Sent once."
      held={checks.some(({ state }) => state === "no")}
    >
      {props.memberField}
      <Flex direction={{ base: "column", xs: "row" }} gap={12}>
        <Box flex={1} miw={0}>
          {props.rewardField}
        </Box>
        <QuantityField control={control} />
      </Flex>
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
    </JobForm>
  )
}
