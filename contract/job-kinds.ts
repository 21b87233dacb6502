import type { JobKindDescriptor } from "./kinds/descriptor.ts"
import { giftcard } from "./kinds/giftcard.ts"
import { memberCreate } from "./kinds/member-create.ts"
import { memberMerge } from "./kinds/member-merge.ts"
import { memberUpdate } from "./kinds/member-update.ts"
import { orderReturn } from "./kinds/order-return.ts"
import { orderUpdate } from "./kinds/order-update.ts"
import { award, deduct } from "./kinds/points.ts"
import { redeem } from "./kinds/redeem.ts"

export const jobKinds = [
  "award",
  "deduct",
  "member-create",
  "member-update",
  "member-merge",
  "redeem",
  "order-update",
  "order-return",
  "giftcard",
] as const
export type JobKind = (typeof jobKinds)[number]

const descriptors = {
  award,
  deduct,
  "member-create": memberCreate,
  "member-update": memberUpdate,
  "member-merge": memberMerge,
  redeem,
  "order-update": orderUpdate,
  "order-return": orderReturn,
  giftcard,
} as const satisfies Readonly<Record<JobKind, JobKindDescriptor<JobKind>>>

/** A write of a service that only jobs send, as the document names it. */
export type JobWrite = (typeof descriptors)[JobKind]["operations"][number]

export type KindAuditAction = (typeof descriptors)[JobKind]["audit"]["action"]

export const jobKindDescriptors: Readonly<Record<JobKind, JobKindDescriptor<JobKind, KindAuditAction>>> =
  descriptors

/** The kinds whose descriptor fits. */
export function kindsWith(fits: (descriptor: JobKindDescriptor) => boolean): readonly JobKind[] {
  return jobKinds.filter((kind) => fits(jobKindDescriptors[kind]))
}

export function hasPoints(kind: JobKind): boolean {
  return jobKindDescriptors[kind].sign !== undefined
}

/** Whether rows of the kind can be reversed, and corrected when another amount was carried out before. */
export function isReversible(kind: JobKind): boolean {
  return jobKindDescriptors[kind].reversedBy !== undefined
}

/** Whether rows of the kind reverse those of another one. */
export function isReversing(kind: JobKind): boolean {
  return jobKinds.some((other) => jobKindDescriptors[other].reversedBy === kind)
}

/** The kinds that change orders. */
export const orderKinds = kindsWith(({ subject }) => subject === "order")
