import type { WindowProblem, WorkerProblem } from "./start-worker.ts"

/** Why there is a page in the desk's place. */
export type StopReason = WindowProblem | WorkerProblem | "failed" | "elsewhere" | "moved"

/** What such a page says: what is so, what was and was not done, what to do. */
export interface StopWords {
  readonly title: string
  readonly body: string
  readonly next: string
  /** The button; without one there is nothing to click that would help. */
  readonly action?: string
}

const worker = "The demo runs in this browser alone, inside a service worker that stands in for the server."

/** The words of each page. */
export const stopReasons: Readonly<Record<StopReason, StopWords>> = {
  insecure: {
    title: "The demo needs a secure address",
    body: `${worker} Browsers allow one only under https:// or on this machine itself. Nothing was started.`,
    next: "Open the demo under an https:// address, or as http://localhost on the machine that serves it.",
  },
  unsupported: {
    title: "This window cannot run the demo",
    body: `${worker} This browser offers none here, as some do in private windows. Nothing was started.`,
    next: "Open this address in a normal window of a current Chrome, Edge, Firefox or Safari.",
  },
  blocked: {
    title: "The demo's service worker is blocked",
    body: `${worker} It couldn’t be installed: a browser setting, an extension or the network stopped it. Nothing was started, and your earlier changes are kept.`,
    next: "Allow cookies and site data for this address, or open it in a normal window, then try again.",
    action: "Try again",
  },
  bypassed: {
    title: "This page bypassed the demo’s service worker",
    body: `${worker} A hard reload, or a setting of the developer tools, kept it off this page. Nothing was lost.`,
    next: 'Reload the page in the usual way. In the developer tools, turn off "Bypass for network".',
    action: "Reload",
  },
  failed: {
    title: "The demo did not start",
    body: "Something went wrong. Your earlier changes are still saved in this browser.",
    next: "Try again. If it keeps happening, reset the demo: it starts over without your changes.",
    action: "Try again",
  },
  elsewhere: {
    title: "The demo is open in another tab",
    body: "Only one tab at a time can use the demo’s data. It continues here automatically when the other tab is closed.",
    next: "Or switch to this tab: the other one saves everything first and stops.",
    action: "Use it here",
  },
  moved: {
    title: "The demo continues in another tab",
    body: "Everything was saved. This tab has stopped.",
    next: "Close it, or reload it to continue here.",
    action: "Reload",
  },
}
