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
    image_url: id === "rew_SocketSet" ? brokenPicture : rewardPicture(id, category),
    stock,
  }))
}

/** Lines on a 96 by 96 ground, for a reward or for the rest of a category. */
// prettier-ignore
const drawings: Readonly<Record<string, string>> = {
  "Gift cards": "M12 26h72a6 6 0 0 1 6 6v36a6 6 0 0 1-6 6H12a6 6 0 0 1-6-6V32a6 6 0 0 1 6-6zM6 48h84M34 26v48M34 48c-18-1-20-15-10-15 7 0 10 15 10 15s3-15 10-15c10 0 8 14-10 15",
  Tools: "M42 6c-9 8-9 23 2 31l4 3 4-3c11-8 11-23 2-31l-2 18h-8zM43 42L27 90M53 42l16 48",
  rew_Mk18Drill: "M14 22h46a8 8 0 0 1 8 8v12H42l6 30H28l-6-30h-8a6 6 0 0 1-6-6V28a6 6 0 0 1 6-6zM68 28h8v8h-8M76 32h14M22 72h32v14H22zM42 54h6",
  rew_WebBabyQ1: "M14 42c4-32 64-32 68 0zM14 50h68c-3 13-13 20-34 20S17 63 14 50zM4 46h10M82 46h10M34 69L24 90M62 69l10 21M48 70v8",
  rew_Fluke323A: "M34 44h28v40a6 6 0 0 1-6 6H40a6 6 0 0 1-6-6zM38 44C18 26 32 6 48 6s30 20 10 38M45 44c-12-12-8-26 3-26s15 14 3 26M41 54h14v12H41zM48 78h.1",
  rew_BoseQC45x: "M12 62V50a36 36 0 0 1 72 0v12M12 56h8a5 5 0 0 1 5 5v19a5 5 0 0 1-5 5h-1a7 7 0 0 1-7-7zM84 56h-8a5 5 0 0 0-5 5v19a5 5 0 0 0 5 5h1a7 7 0 0 0 7-7z",
  rew_YetiTun45: "M12 40h72v38a6 6 0 0 1-6 6H18a6 6 0 0 1-6-6zM8 26h80v14H8zM30 26V14h36v12M38 54h20",
  rew_HiVisJkt1: "M34 12l14 8 14-8 20 13 6 35H75l-1-14v40H22V46l-1 14H8l6-35zM48 20v66M22 60h52M22 70h52",
  rew_JBLCharg5: "M22 32h52a18 18 0 0 1 0 36H22a18 18 0 0 1 0-36zM34 32v36M62 32v36M44 44h8M44 56h8M14 50h.1M82 50h.1",
  rew_VacFlask1: "M32 32h28v52a6 6 0 0 1-6 6H38a6 6 0 0 1-6-6zM36 32V20h20v12M34 10h24v10H34zM60 44h8a6 6 0 0 1 6 6v16a6 6 0 0 1-6 6h-8M32 46h28",
  rew_QanVou250: "M84 10c-5-4-11-1-16 4L54 28 16 18l-6 6 32 18-14 16-12-2-4 5 14 8 8 14 5-4-2-12 16-14 18 32 6-6-10-38 14-14c5-5 8-12 3-17z",
  rew_FuelCrd80: "M18 88V18a6 6 0 0 1 6-6h28a6 6 0 0 1 6 6v70M10 88h56M28 24h20v18H28zM58 52h6a6 6 0 0 1 6 6v14a7 7 0 0 0 14 0V42L72 28M72 28v14h12",
  rew_EspressoM: "M16 8h60v20H16zM24 28v52M14 80h64v10H14zM42 28v8h20v-8M52 36v8M40 52h24v12a8 8 0 0 1-8 8h-8a8 8 0 0 1-8-8zM64 56h8v8h-8",
  rew_ShokzHead: "M16 54v-8a32 32 0 0 1 64 0v8M14 54h12v24H14zM70 54h12v24H70zM76 78c0 8-8 12-20 12M48 90h8",
  rew_JerkyHamp: "M10 44h76l-8 42H18zM24 44c0-42 48-42 48 0M31 56l2 18M48 56v18M65 56l-2 18",
  rew_MovieVou2: "M8 30h80v12a8 8 0 0 0 0 16v12H8V58a8 8 0 0 0 0-16zM60 34v6M60 47v6M60 60v6M22 45h22M22 56h14",
  rew_SwagSingl: "M8 80c5-38 24-58 40-58s35 20 40 58zM48 22L36 80M48 22l12 58M2 80h92",
  rew_TVOled55A: "M6 16h84v54H6zM34 86h28M48 70v16M18 28l12-1",
  rew_RestVou150: "M48 20a28 28 0 1 0 .1 0zM48 33a15 15 0 1 0 .1 0zM8 12v22a5 5 0 0 0 10 0V12M13 12v76M86 88V12c-7 5-9 22-7 38h7",
  rew_BootsVou1: "M30 10h26v36l26 12c6 3 8 9 8 16H30zM30 74v12h60V74M56 22H44M56 34H44",
  rew_WineCase6: "M36 6h12v24c10 8 12 14 12 24v30a6 6 0 0 1-6 6H30a6 6 0 0 1-6-6V54c0-10 2-16 12-24zM24 56h36v20H24zM68 54h20c0 14-4 20-10 20s-10-6-10-20zM78 74v16M71 90h14",
  rew_GPSWatch1: "M34 30l4-24h20l4 24M34 66l4 24h20l4-24M48 24a24 24 0 1 0 .1 0zM48 36v12l9 6",
}

/** Inks with contrast on white and on black: the page shows through a picture. */
const inks: Readonly<Record<string, string>> = {
  Tools: "#2f8f5f",
  Outdoors: "#3f84c6",
  "Gift cards": "#b5781f",
  Electronics: "#8076d8",
  Apparel: "#cc694d",
  Travel: "#2a93a3",
  Home: "#927f63",
  Food: "#c65f68",
}

/** A line drawing of a reward as a `data:` address, in the colour of its category. */
function rewardPicture(id: string, category: string): string {
  const ink = inks[category] ?? "#75807b"
  const lines = drawings[id] ?? drawings[category] ?? ""
  const svg =
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 320 160"><circle cx="160" cy="80" r="68" fill="${ink}" ` +
    `opacity=".12"/><path transform="translate(112 32)" d="${lines}" fill="none" stroke="${ink}" stroke-width="4" ` +
    `stroke-linecap="round" stroke-linejoin="round"/></svg>`
  return `data:image/svg+xml,${encodeURIComponent(svg)}`
}

/** A picture that no browser can draw. */
const brokenPicture = "data:image/png;base64,bm90IGEgcGljdHVyZQ=="
