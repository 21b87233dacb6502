import { useQuery } from "@tanstack/react-query"
import { getRouteApi } from "@tanstack/react-router"
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
import classes from "./redeem.module.css"

const AddressFields = lazy(async () => ({ default: (await import("./address-fields.tsx")).AddressFields }))

const aboveList = getRouteApi("/_app/rewards/redeem")
const abovePage = getRouteApi("/_app/rewards_/$rewardId/redeem")

/** The redeem drawer above the catalogue: member and reward are both in the address. */
export function RedeemAboveList() {
  const { for: memberId, reward, job } = aboveList.useSearch()
  const navigate = aboveList.useNavigate()
  const close = useLeaveDrawer(
    () =>
      void navigate({
        to: "/rewards",
        search: ({ for: _for, reward: _reward, job: _job, ...rest }) => rest,
        resetScroll: false,
      }),
  )
  return (
    <RedeemDrawer
      memberId={memberId}
      rewardId={reward}
      jobId={job}
      go={(change) =>
        void navigate({ search: (now) => ({ ...now, ...change }), replace: true, resetScroll: false })
      }
      onClose={close}
    />
  )
}

/** The redeem drawer above a reward's page. */
export function RedeemAbovePage() {
  const { for: memberId, job } = abovePage.useSearch()
  const { rewardId } = abovePage.useParams()
  const navigate = abovePage.useNavigate()
  const close = useLeaveDrawer(
    () => void navigate({ to: "/rewards/$rewardId", params: { rewardId }, resetScroll: false }),
  )
  return (
    <RedeemDrawer
      memberId={memberId}
      rewardId={rewardId}
      jobId={job}
      rewardFixed
      go={(change) =>
        void navigate({ search: (now) => ({ ...now, ...change }), replace: true, resetScroll: false })
      }
      onClose={close}
    />
  )
}

interface RedeemDrawerProps {
  memberId: string | undefined
  rewardId: string | undefined
  jobId: string | undefined
  /** The page behind is the reward's own: no other can be chosen. */
  rewardFixed?: boolean
  /** Another member, reward or outcome; undefined takes one away. Steps replace each other: Back leaves the drawer. */
  go: (change: Partial<Record<"for" | "reward" | "job", string | undefined>>) => void
  onClose: () => void
}

function RedeemDrawer(props: RedeemDrawerProps) {
  const { jobId, rewardFixed = false, go, onClose } = props
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

/** Asked at the service itself when the drawer opens, and not again while somebody types. */
const once = { staleTime: 0, refetchOnWindowFocus: false } as const

/**
 * The member and the reward are chosen first. Balance and stock decide whether it can be done, so both are read past
 * every cache; until then what is known of the reward is shown.
 */
function RedeemSteps(props: RedeemDrawerProps & Typed) {
  const { memberId, rewardId, rewardFixed = false, go, onClose } = props
  const member = useQuery({ ...memberQuery(memberId ?? "none"), enabled: memberId !== undefined })
  const reward = useQuery({
    ...rewardQuery(rewardId ?? "none", { fresh: true }),
    ...once,
    enabled: rewardId !== undefined,
  })
  const balance = useQuery({
    ...balanceQuery(memberId ?? "none", { fresh: true }),
    ...once,
    enabled: memberId !== undefined,
  })
  const available = memberId === undefined ? undefined : (balance.data?.data.balance ?? undefined)
  const chosenMember = memberId === undefined ? undefined : member.data?.data
  const chosenReward = rewardId === undefined ? undefined : reward.data?.data
  const memberName = chosenMember === undefined ? (memberId ?? "") : fullName(chosenMember)
  const cost = chosenReward?.points_cost
  const memberField =
    memberId === undefined ? (
      <MemberPicker label="Member" onPick={({ id }) => go({ for: id })} />
    ) : (
      <Chosen
        noun="member"
        picture={<Avatar name={memberName} accent />}
        name={memberName}
        about={chosenMember?.email ?? chosenMember?.company}
        points={available === undefined ? undefined : `${formatPoints(available)} points`}
        error={chosenMember === undefined && member.error}
        onChange={() => go({ for: undefined })}
      />
    )
  const rewardField =
    rewardId === undefined ? (
      memberId !== undefined && <RewardPicker balance={available} onPick={({ id }) => go({ reward: id })} />
    ) : (
      <Chosen
        noun="reward"
        picture={<RewardPicture src={chosenReward?.image_url} size="small" />}
        name={chosenReward === undefined ? rewardId : rewardName(chosenReward)}
        about={chosenReward && rewardAbout(chosenReward)}
        points={typeof cost === "number" ? `${formatPoints(cost)} each` : undefined}
        error={chosenReward === undefined && reward.error}
        onChange={rewardFixed ? undefined : () => go({ reward: undefined })}
      />
    )
  if (chosenMember === undefined || chosenReward === undefined) {
    return (
      <SideDrawer title={jobKindDescriptors.redeem.labels.title} wide onClose={onClose}>
        {memberField}
        {rewardField}
      </SideDrawer>
    )
  }
  return (
    <RedeemForm
      {...props}
      key={`${chosenMember.id} ${chosenReward.id}`}
      member={chosenMember}
      reward={chosenReward}
      balance={available}
      balanceError={balance.error}
      memberField={memberField}
      rewardField={rewardField}
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
  const { member, reward, balance, balanceError, typed, go } = props
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
      <div className={classes.what}>
        {props.rewardField}
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
    </JobForm>
  )
}
