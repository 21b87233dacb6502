import type { PointsAct } from "../points-search.ts"

/** How the page speaks of awards and of deductions. */
export const fileWords: Readonly<
  Record<
    PointsAct,
    Readonly<Record<"title" | "help" | "rows" | "panel" | "usual" | "verb" | "preposition", string>>
  >
> = {
  award: {
    title: "Award from a file",
    help: "It needs a column with member ids or e-mails, one with points, and one with the reason (or one reason for all rows). Columns such as metadata.region are optional.",
    rows: "Rows to award",
    panel: "What will be awarded",
    usual: "Typical award",
    verb: "Award",
    preposition: "to",
  },
  deduct: {
    title: "Deduct from a file",
    help: "It needs a column with member ids or e-mails, one with points, and one with the reason (or one reason for all rows). Points are written without a minus.",
    rows: "Rows to deduct",
    panel: "What will be deducted",
    usual: "Typical deduction",
    verb: "Deduct",
    preposition: "from",
  },
}
