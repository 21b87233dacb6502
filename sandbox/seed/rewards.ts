import { mix, seedNumber } from "./random.ts"
import type { RewardRecord } from "../store/records.ts"

type Line = readonly [
  id: string,
  name: string,
  category: string,
  type: "digital" | "physical",
  points: number,
  stock: number | null,
  description: string,
]

// prettier-ignore
const lines: readonly Line[] = [
  ["rew_Mk18Drill", "Makita 18 V drill kit", "Tools", "physical", 9500, 7, "Brushless drill driver with two batteries, charger and case."],
  ["rew_WebBabyQ1", "Weber Baby Q", "Outdoors", "physical", 14_500, 3, "Portable gas barbecue for two to four people."],
  ["rew_BunGift100", "Bunnings gift card, $100", "Gift cards", "digital", 10_000, null, "Sent as a code. Valid in every store for three years."],
  ["rew_Fluke323A", "Fluke 323 clamp meter", "Tools", "physical", 6800, 24, "True-RMS clamp meter for 400 A and 600 V."],
  ["rew_BoseQC45x", "Bose QC headphones", "Electronics", "physical", 21_000, 12, "Over-ear headphones that cancel noise."],
  ["rew_YetiTun45", "Yeti Tundra 45 cooler", "Outdoors", "physical", 18_900, 0, "Hard cooler, 35 litres."],
  ["rew_WowGift50", "Woolworths gift card, $50", "Gift cards", "digital", 5000, null, "Sent as a code. Groceries and more."],
  ["rew_HiVisJkt1", "Hi-vis jacket, embroidered", "Apparel", "physical", 2200, 140, "Day and night jacket with the dealer's name."],
  ["rew_JBLCharg5", "JBL Charge speaker", "Electronics", "physical", 7600, 18, "Portable speaker, dust and water proof."],
  ["rew_VacFlask1", "Vacuum flask, 1.2 L", "Apparel", "physical", 1800, 210, "Keeps coffee hot until smoko."],
  ["rew_QanVou250", "Qantas voucher, $250", "Travel", "digital", 24_000, null, "Sent as a code. For flights booked within a year."],
  ["rew_FuelCrd80", "Fuel card, $80", "Gift cards", "digital", 8000, null, "Sent as a code. Accepted at most service stations."],
  ["rew_EspressoM", "Espresso machine", "Home", "physical", 27_500, 9, "Fifteen bar, with a milk frother."],
  ["rew_ShokzHead", "Shokz headset", "Electronics", "physical", 8400, 31, "Open-ear headset for calls on site."],
  ["rew_JerkyHamp", "Jerky hamper", "Food", "physical", 1500, 64, "Six kinds of beef jerky in a tin."],
  ["rew_MovieVou2", "Movie voucher, 2 seats", "Gift cards", "digital", 3600, null, "Sent as a code. Two adults, any session."],
  ["rew_Knipex3pc", "Knipex pliers set", "Tools", "physical", 5400, 16, "Three pliers in a roll."],
  ["rew_SocketSet", "Socket set, 94 pieces", "Tools", "physical", 4200, 2, "Metric and imperial, quarter and half inch drive."],
  ["rew_SwagSingl", "Canvas swag, single", "Outdoors", "physical", 8800, 11, "Dome swag with a 70 mm mattress."],
  ["rew_TVOled55A", "OLED television, 55 inch", "Electronics", "physical", 62_000, 4, "Delivered to the door, not installed."],
  ["rew_RestVou150", "Restaurant voucher, $150", "Food", "digital", 14_800, null, "Sent as a code. More than 400 restaurants."],
  ["rew_BootsVou1", "Work boots voucher", "Apparel", "digital", 11_500, 40, "Sent as a code for one pair of boots."],
  ["rew_WineCase6", "Wine, case of six", "Food", "physical", 6200, 22, "Six bottles from the Barossa. Adults only."],
  ["rew_GPSWatch1", "GPS watch", "Electronics", "physical", 16_900, 5, "No longer offered since the new model came out."],
]

/** The catalogue: digital and physical, stock unlimited, plenty, low and none, one inactive, one broken picture. */
export function seedRewards(): RewardRecord[] {
  return lines.map(([id, name, category, type, points_cost, stock, description]) => ({
    id,
    name,
    description,
    points_cost,
    category,
    type,
    status: id === "rew_GPSWatch1" ? "inactive" : "active",
    image_url: id === "rew_SocketSet" ? brokenPicture : rewardPicture(name, category),
    stock,
  }))
}

const grounds: Record<string, readonly [string, string]> = {
  Tools: ["#e7efe9", "#23774f"],
  Outdoors: ["#e6eef6", "#2b5f93"],
  "Gift cards": ["#f4ecdf", "#9a6416"],
  Electronics: ["#ecebf5", "#544a9b"],
  Apparel: ["#f6e9e6", "#a34a33"],
  Travel: ["#e3f1f3", "#1d7482"],
  Home: ["#f1eeea", "#6b5c48"],
  Food: ["#f5ebe9", "#94393f"],
}

/** A small drawing for a reward as a `data:` address: its category's colours, shapes from its name, its initial. */
function rewardPicture(name: string, category: string): string {
  const [ground, ink] = grounds[category] ?? ["#eceeed", "#4a544f"]
  const hash = mix(seedNumber(name))
  const shapes = [0, 1, 2].map((n) => shape((hash >>> (n * 8)) & 255, ink)).join("")
  const svg =
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 320 200"><rect width="320" height="200" fill="${ground}"/>` +
    `${shapes}<text x="160" y="128" font-family="sans-serif" font-size="80" font-weight="700" ` +
    `text-anchor="middle" fill="${ink}">${name.slice(0, 1)}</text></svg>`
  return `data:image/svg+xml,${encodeURIComponent(svg)}`
}

function shape(bits: number, ink: string): string {
  const x = 30 + (bits & 15) * 17
  const y = 24 + (bits >> 4) * 10
  return bits % 2 === 0
    ? `<circle cx="${x}" cy="${y}" r="${20 + (bits % 5) * 8}" fill="${ink}" opacity=".16"/>`
    : `<rect x="${x - 30}" y="${y - 30}" width="${50 + (bits % 4) * 10}" height="60" rx="10" fill="${ink}" opacity=".13"/>`
}

/** A picture that no browser can draw. */
const brokenPicture = "data:image/png;base64,bm90IGEgcGljdHVyZQ=="
