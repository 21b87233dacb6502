import { mix, pick, randomFrom } from "../random.ts"
import type { SeedBase } from "./base.ts"
import { lastNames } from "./names.ts"
import { places, type Place } from "./places.ts"

/** A dealer of the program, with the mail domain its people share. */
export interface Company {
  readonly name: string
  readonly domain: string
  readonly dealerCode: string
  readonly place: Place
}

const trades = [
  "Air Conditioning",
  "Climate Control",
  "Heating & Cooling",
  "Refrigeration",
  "Mechanical Services",
  "Air & Electrical",
  "Ducted Heating",
  "Cooling Co",
  "Climate Services",
  "HVAC",
  "Air Solutions",
  "Comfort Systems",
] as const

const fronts =
  `Southern Cross, Bayside, Outback, Kookaburra, Wattle, Redgum, Harbour, Coastline, Hinterland, Tablelands,
Northern, Pacific, Great Divide, Ironbark, Banksia, Boomerang, Southerly, Sea Breeze, Bluegum, Five Star, Reliable,
All Seasons, True North, Frostline, Polar, Evercool, Snowy River, Three Sisters, Spinifex, Mulga, Riverbend,
Lighthouse, Jacaranda, Paperbark, Western Plains`.split(/,\s+/)

/** How many companies a program of so many members has: four people each. */
export function companyCount(members: number): number {
  return Math.max(1, Math.ceil(members / 4))
}

/**
 * The company with an index. Every pair of front (or family) and trade is used once, in an order that follows
 * from the seed, before a town is added to tell the next ones apart: names and domains do not repeat.
 */
export function companyAt(base: SeedBase, index: number): Company {
  const heads = index % 2 === 0 ? fronts : lastNames
  const turn = Math.floor(index / 2)
  const pairs = heads.length * trades.length
  const pair = (turn * 7919 + (base.number % pairs)) % pairs
  const round = Math.floor(turn / pairs)
  const random = randomFrom(base.number, 11, index)
  const place = round === 0 ? pick(random, places) : placeAt(round + pair)
  const name = `${heads[pair % heads.length]} ${trades[Math.floor(pair / heads.length)]}`
  return company(round === 0 ? name : `${name} ${place[0]}`, place, mix(base.number, 12, index))
}

function placeAt(index: number): Place {
  return places[index % places.length] ?? ["Maroochydore", "QLD", "Sunshine Coast", "7"]
}

/** A company given by name, for the members everyone meets first. */
export function company(name: string, place: Place, code: number, domain = domainOf(name)): Company {
  const number = String(code % 10_000).padStart(4, "0")
  return { name, domain, place, dealerCode: `KA-${place[1]}-${number}` }
}

function domainOf(name: string): string {
  return `${name
    .toLowerCase()
    .replaceAll("&", "and")
    .replaceAll(/[^a-z0-9]/g, "")}.com.au`
}
