/** A stop of the guided tour: its page, the instructions, and the demo's part. */
export interface TourStop {
  readonly title: string
  readonly why: string
  readonly steps: readonly string[]
  /** URL relative to the demo. */
  readonly path: string
  /** A fault that is active while the tour is at this stop, and the button that ends it earlier. */
  readonly fault?: { readonly id: string; readonly end: string }
  /** Rows of a file that the stop offers. */
  readonly file?: { readonly name: string; readonly rows: readonly string[] }
}

/** Rows with typical mistakes of files: an address without @, a letter in a number, no reason, a duplicate. */
const rows = [
  "E-mail,Points,Reason",
  "ana.silva@coastalclimate.com.au,400,Trade night",
  "aiden@coastalclimate.com.au,15o,Trade night",
  "bec.h.climatewest.com.au,250,Trade night",
  "c.okafor@airclimate.net.au,300,Trade night",
  "dalia@topendclimate.com.au,300,",
  "ethan.nguyen@climatepro.com.au,350,Trade night",
  "ana.silva@coastalclimate.com.au,400,Trade night",
]

export const tourStops: readonly TourStop[] = [
  {
    title: "Find a member",
    why: "From any page, with the keyboard or by touch.",
    path: "/",
    steps: [
      "Press Ctrl K (⌘ K on a Mac), or choose the search field at the top.",
      "Type “ana silva” and press Enter.",
      "Her balance, points, orders and cards are on one page.",
    ],
  },
  {
    title: "Award a file with mistakes",
    why: "Four of its seven rows need a look before anything is sent.",
    path: "/members/points-file?kind=award",
    file: { name: "trade-night.csv", rows },
    steps: [
      "Save the file, then choose it on the page, or drop it there.",
      "Correct the marked cells in place, or leave those rows out.",
      "Award the points. The job shows every row.",
    ],
  },
  {
    title: "Lose a response",
    why: "The service makes the change, but its response never comes.",
    path: "/members?act=award&for=mem_8Fq2Lx41",
    fault: { id: "write-drop-after", end: "Reconnect" },
    steps: [
      "Award Ana Silva 100 points, with any reason.",
      "For a moment the outcome isn’t known. Laurel looks it up and doesn’t send it again.",
      "The award is found in her ledger, and was made once.",
    ],
  },
  {
    title: "Ship two parcels",
    why: "Two scans each. A keyboard does as well.",
    path: "/orders/ship",
    steps: [
      "Choose an order in the list, or type its id and press Enter.",
      "Type RB400073511AU as its tracking number, and press Enter. On a phone, press the keyboard button first.",
      "Do the same with the next order and RB400073525AU.",
    ],
  },
  {
    title: "Run out of funds",
    why: "The gift-card fund is empty until you top it up here.",
    path: "/jobs?state=attention",
    fault: { id: "cards-fund", end: "Top up the fund" },
    steps: [
      "Open the job of six gift cards, and resume it. It stops again, and no card is lost.",
      "Top up the fund with the button below.",
      "Resume the job. Each of the six members gets one card.",
    ],
  },
  {
    title: "Wall display",
    why: "A leaderboard for a screen that everyone passes.",
    path: "/leaderboards/lb_q4sprint/wall",
    steps: ["It keeps itself up to date.", "On a computer, F11 fills the screen with it."],
  },
]
