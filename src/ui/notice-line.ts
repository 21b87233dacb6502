import {
  type Icon,
  IconAlertTriangle,
  IconCircleCheck,
  IconHelpCircle,
  IconKey,
  IconPlayerPause,
  IconWallet,
} from "@tabler/icons-react"
import type { LinkProps } from "@tanstack/react-router"
import { type Job, reversalState } from "../../contract/job.ts"
import type { Notice } from "../../contract/notices.ts"
import { counted, formatCount, formatMoney } from "../lib/format.ts"
import { jobTitle, savedOrdersText } from "../lib/job-title.ts"

/** A notice: its text, and the next step. */
export interface NoticeLine {
  readonly icon: Icon
  readonly tone: "info" | "warning" | "grey" | "danger" | "success"
  readonly title: string
  readonly about: string
  readonly link: LinkProps
  readonly label: string
}

const services = { program: "program", giftcard: "gift card" } as const

/** The text of a notice; `acts`: whether the user may decide and retry. Money in the program's `currency`. */
export function noticeLine(
  notice: Notice,
  { acts, currency }: { acts: boolean; currency: string },
): NoticeLine {
  switch (notice.kind) {
    case "fund":
      return {
        icon: IconWallet,
        tone: "warning",
        title: `Gift card fund is low: ${formatMoney(notice.left_cents, currency)} left`,
        about: "As entered, less the cards issued here since. Add funds, then enter the new amount.",
        link: { to: "/settings/gift-cards" },
        label: "Update fund",
      }
    case "stock":
      return {
        icon: IconAlertTriangle,
        tone: "warning",
        title: `${counted(notice.count, "reward")} low on stock`,
        about: named(notice),
        link: { to: "/rewards", search: { view: "table", per_page: 100, sort: "stock" } },
        label: "Rewards",
      }
    case "drift":
      return {
        icon: IconAlertTriangle,
        tone: "grey",
        title: `${counted(notice.count, "response")} ${notice.count === 1 ? "differs" : "differ"} from the documentation`,
        about: named(notice),
        link: { to: "/settings/status" },
        label: "Status",
      }
    case "books":
      return {
        icon: IconAlertTriangle,
        tone: "warning",
        title: `${counted(notice.count, "unexplained difference")} in the books`,
        about: "A balance isn’t what its ledger adds up to. Look at the members, or ask the service.",
        link: {
          to: "/books/$month",
          params: { month: notice.month },
          search: { class: "unexplained", page: 1, per_page: 25 },
        },
        label: "Differences",
      }
    case "key":
      return {
        icon: IconKey,
        tone: "danger",
        title: `The ${services[notice.api]} service refuses the API key`,
        about: "An administrator replaces the key and starts Laurel again.",
        link: { to: "/settings/status", search: { api: notice.api } },
        label: "Status",
      }
    default:
      return jobLine(notice, acts)
  }
}

function named({ count, about }: { count: number; about: readonly string[] }): string {
  return `${about.join(", ")}${count > about.length ? " and more" : ""}`
}

const rows = (count: number) => counted(count, "row")

function jobLine({ kind, job, returned }: Extract<Notice, { job: object }>, acts: boolean): NoticeLine {
  const { attention, counts, pause, total, created_by } = job
  const link = { to: "/jobs/$jobId", params: { jobId: job.id } } as const
  const about = `${jobTitle(job)}, by ${created_by.name}`
  switch (kind) {
    case "decision":
      if (returned !== undefined) return returnLine(returned, acts)
      return {
        icon: IconHelpCircle,
        tone: "warning",
        title: `${rows(attention)} ${attention === 1 ? "needs" : "need"} a decision`,
        about,
        link,
        label: acts ? "Decide" : "Open",
      }
    case "paused":
      return {
        icon: IconPlayerPause,
        tone: "warning",
        title: "Job paused",
        about: [jobTitle(job), pause?.message].filter(Boolean).join(": "),
        link,
        label: acts ? "Resume" : "Open",
      }
    case "failed":
      return {
        icon: IconAlertTriangle,
        tone: "warning",
        title: `${rows(counts.failed)} not done`,
        about,
        link: { ...link, search: { state: "failed" } },
        label: acts ? "Fix rows" : "Open",
      }
    default:
      return {
        icon: IconCircleCheck,
        tone: "success",
        title: finishedTitle(job),
        about: `${jobTitle(job)}: ${total === counts.confirmed ? "all" : `${formatCount(counts.confirmed)} of ${formatCount(total)}`} done`,
        link,
        label: "Open",
      }
  }
}

function returnLine(
  { order_id: orderId, twice }: { order_id: string; twice: boolean },
  acts: boolean,
): NoticeLine {
  return {
    icon: IconHelpCircle,
    tone: "warning",
    title: twice ? "Returned twice?" : "Points to return",
    about: twice
      ? `More points came in after Laurel had returned those of ${orderId}`
      : `${orderId} is cancelled, and its points may be missing`,
    link: { to: "/orders/$orderId", params: { orderId } },
    label: acts ? (twice ? "Reverse" : "Return") : "Open",
  }
}

function finishedTitle(job: Job): string {
  const reversal = reversalState(job)
  if (reversal === undefined) return savedOrdersText(job) ?? "Job finished"
  return reversal.isUnderWay ? "Job being reversed" : "Job reversed"
}
