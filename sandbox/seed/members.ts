import { between, codeFrom, joinedAt, mix, pick, randomFrom, type SeedBase } from "./random.ts"

/** Suburb or town, state, region and area code of a landline: where the seeded companies are. */
type Place = readonly [town: string, state: string, region: string, area: string]

/** Places of the seeded companies: towns with their regions, by state and area code. */
const places: readonly Place[] = `
  QLD 7: Maroochydore / Sunshine Coast, Noosaville / Sunshine Coast, Southport / Gold Coast, Nerang / Gold
  Coast, Geebung / Brisbane North, Rocklea / Brisbane South, Garbutt / Townsville, Portsmith / Cairns,
  Toowoomba / Darling Downs, Mackay / Central Queensland, Rockhampton / Central Queensland;
  NSW 2: Alexandria / Sydney Metro, Silverwater / Sydney West, Penrith / Sydney West, Brookvale / Northern
  Beaches, Caringbah / Sutherland, Gosford / Central Coast, Cardiff / Hunter, Unanderra / Illawarra,
  Dubbo / Orana, Wagga Wagga / Riverina, Albury / Murray, Ballina / Northern Rivers, Coffs Harbour /
  Mid North Coast;
  ACT 2: Fyshwick / Canberra, Mitchell / Canberra;
  VIC 3: Dandenong / Melbourne South East, Moorabbin / Melbourne South East, Bayswater / Melbourne East,
  Thomastown / Melbourne North, Sunshine West / Melbourne West, Corio / Geelong, Wendouree / Ballarat,
  Bendigo / Loddon, Shepparton / Goulburn Valley, Mildura / Sunraysia, Traralgon / Gippsland;
  TAS 3: Invermay / Launceston, Moonah / Hobart;
  SA 8: Wingfield / Adelaide North, Lonsdale / Adelaide South, Murray Bridge / Murraylands, Mount Gambier /
  Limestone Coast;
  WA 8: Fremantle / Perth South, Osborne Park / Perth North, Malaga / Perth North, Welshpool / Perth East,
  Bunbury / South West, Geraldton / Mid West;
  NT 8: Winnellie / Darwin, Alice Springs / Central Australia`
  .replaceAll(/\s+/g, " ")
  .split(";")
  .flatMap((line) => {
    const [where = "", towns = ""] = line.trim().split(": ")
    const [state = "", area = ""] = where.split(" ")
    return towns.split(", ").map((entry): Place => {
      const [town = "", region = ""] = entry.split(" / ")
      return [town, state, region, area]
    })
  })

const words = (text: string): readonly string[] => text.trim().split(/\s+/)

/** First names of seeded members. */
const firstNames = words(`
  Aaron Abbey Adam Aisha Alana Alistair Amara Amelia Angus Anita Anthony Arjun Ashleigh Ayesha Ben Bianca
  Blake Brendan Bronwyn Caitlin Callum Cameron Carla Chloe Craig Dale Damien Daniel Darcy Deepa Dimitri Dylan
  Elena Eliza Emily Erin Farid Felicity Finn Fraser Gareth Gemma Georgia Grace Hamish Hannah Harpreet Hassan
  Heidi Hugh Hung Imogen Indira Isabel Ivan Jack Jade James Jarrod Jin Joanna Joel Joshua Kaitlyn Karen Kate
  Kirra Kylie Lachlan Lara Leanne Liam Linh Lisa Lucas Luke Mai Marco Maria Matilda Mehmet Mei Michael Mitchell
  Mohammed Nadia Natalie Nathan Nicola Nikhil Noah Olivia Omar Patrick Paul Peta Petra Priya Quentin Rachel Raj
  Rebecca Rhys Rosa Ruby Ryan Samira Samuel Sandra Sean Shane Shannon Simone Sione Sofia Stavros Steph Sunil
  Tahlia Tamara Tane Tariq Thi Thomas Tiffany Toby Trent Tuan Tyson Uma Vanessa Vikram Warwick Wei Xavier
  Yasmin Yusuf Zac Zara Zoe`)

/** Family names of seeded members. */
const lastNames = words(`
  Abbott Adeyemi Ahmed Anderson Andreou Ashby Baker Banerjee Barker Bennett Bishop Blackwood Bradley Brennan
  Brooks Burgess Burns Campbell Caruso Chan Chapman Chen Clarke Collins Cooper Costa Crawford Cunningham Dang
  Davies Dawson Desai Dimitriou Do Donnelly Douglas Dunn Edwards Ellis Evans Farrell Ferguson Ferrari Fisher
  Fitzgerald Fletcher Fonoti Foster Fraser Gallagher Ghosh Gibson Gill Graham Grant Greco Griffiths Gupta
  Hall Hamilton Harrison Hart Hayes Henderson Hoang Holmes Hughes Hunter Hussain Ibrahim Ioannou Jackson
  Jenkins Johnston Jones Joshi Kapoor Kaur Keane Kelly Kennedy Khan Kim Knight Kumar Lam Lawson Lee Lim
  Lombardi Mackenzie Malik Marino Marshall Martin Mason Mehta Mills Mitchell Moore Morgan Morris Murphy Murray
  Nguyen Nichols Novak Papadopoulos Park Parker Patel Pearce Pham Phillips Pillai Porter Quinn Rahman Reid
  Ricci Roberts Robertson Rossi Russo Ryan Santos Sharma Shaw Singh Smith Stewart Sullivan Sutherland Tan
  Taylor Thompson Tran Turner Vella Vu Walker Wallace Walsh Watson Webster Wells White Williams Wilson Wong
  Wright Yilmaz Young Zhang`)

/** A dealer of the program, with the mail domain its people share. */
interface Company {
  readonly name: string
  readonly domain: string
  readonly dealerCode: string
  readonly place: Place
}

const trades =
  `Air Conditioning, Climate Control, Heating & Cooling, Refrigeration, Mechanical Services, Air & Electrical,
Ducted Heating, Cooling Co, Climate Services, HVAC, Air Solutions, Comfort Systems`.split(/,\s+/)

const fronts =
  `Southern Cross, Bayside, Outback, Kookaburra, Wattle, Redgum, Harbour, Coastline, Hinterland, Tablelands,
Northern, Pacific, Great Divide, Ironbark, Banksia, Boomerang, Southerly, Sea Breeze, Bluegum, Five Star, Reliable,
All Seasons, True North, Frostline, Polar, Evercool, Snowy River, Three Sisters, Spinifex, Mulga, Riverbend,
Lighthouse, Jacaranda, Paperbark, Western Plains`.split(/,\s+/)

/** Number of companies of a program with `members` members: four people each. */
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
function companyIn(town: string, name: string, code: number, domain: string): Company {
  return company(name, placeAt(places.findIndex(([one]) => one === town)), code, domain)
}

function company(name: string, place: Place, code: number, domain = domainOf(name)): Company {
  const number = String(code % 10_000).padStart(4, "0")
  return { name, domain, place, dealerCode: `KA-${place[1]}-${number}` }
}

function domainOf(name: string): string {
  const letters = name
    .toLowerCase()
    .replaceAll("&", "and")
    .replaceAll(/[^a-z0-9]/g, "")
  return `${letters}.com.au`
}

/** A member who is the same in every seed: the people of the screenshots and of examples in tests. */
interface FeaturedPerson {
  readonly first: string
  readonly last: string
  readonly email: string
  readonly company: Company
  readonly tier: string
  readonly id: string | undefined
}

const coastal = companyIn("Maroochydore", "Coastal Climate Co", 417, "coastalclimate.com.au")
const west = companyIn("Fremantle", "Climate West Fremantle", 231, "climatewest.com.au")
const partners = companyIn("Alexandria", "Air & Climate Partners", 108, "airclimate.net.au")
const topEnd = companyIn("Winnellie", "Top End Climate Control", 19, "topendclimate.com.au")
const geelong = companyIn("Corio", "ClimatePro Geelong", 562, "climatepro.com.au")
const highland = companyIn("Toowoomba", "Highland Climate Services", 390, "highlandclimate.com.au")
const bianchi = companyIn("Wingfield", "Bianchi Climate & Electrical", 77, "bianchiclimate.com.au")
const launceston = companyIn("Invermay", "Climateworks Launceston", 34, "climateworks.net.au")
const murray = companyIn("Albury", "Murray River Climate", 288, "murrayclimate.com.au")
const north = companyIn("Garbutt", "North Climate Townsville", 451, "northclimate.com.au")

function person(name: string, local: string, at: Company, tier: string, id?: string): FeaturedPerson {
  const gap = name.indexOf(" ")
  return {
    first: name.slice(0, gap),
    last: name.slice(gap + 1),
    email: `${local}@${at.domain}`,
    company: at,
    tier,
    id,
  }
}

/** The members with the first indexes. Ana Silva is the one with the long ledger. */
export const featured: readonly FeaturedPerson[] = [
  person("Ana Silva", "ana.silva", coastal, "Gold", "mem_8Fq2Lx41"),
  person("Aiden Kowalski", "aiden", coastal, "Gold"),
  person("Bec Hargreaves", "bec.h", west, "Gold"),
  person("Chinedu Okafor", "c.okafor", partners, "Silver"),
  person("Dalia Haddad", "dalia", topEnd, "Platinum"),
  person("Ethan Nguyen", "ethan.nguyen", geelong, "Gold"),
  person("Fiona McAllister", "fiona", highland, "Platinum"),
  person("Giorgio Bianchi", "giorgio", bianchi, "Gold"),
  person("Harriet Osborne", "h.osborne", launceston, "Silver"),
  person("Isaac Tupou", "isaac", west, "Bronze"),
  person("Jasmine Le", "jasmine.le", coastal, "Gold"),
  person("Kieran Doyle", "kieran", murray, "Silver"),
  person("Leila Farahani", "leila", geelong, "Platinum"),
  person("Marcus Webb", "marcus.webb", partners, "Silver"),
  person("Naomi Tanaka", "naomi", north, "Gold"),
  person("Oscar Lindqvist", "oscar", highland, "Silver"),
  person("Priti Deshmukh", "priti", launceston, "Bronze"),
  person("Wendy Cartwright", "wendy.c", murray, "Gold"),
]

/** Who a seeded member is, without the ledger. */
export interface SeedPerson {
  readonly id: string
  readonly first: string
  readonly last: string
  /** Proposed address; the member table numbers a second one. */
  readonly email: string
  readonly company: Company
  readonly tier: string
  readonly status: string
  readonly joined: number
}

const tiers = ["Bronze", "Silver", "Gold", "Platinum"] as const

/** Makes the people of a base; companies are made once. */
export function personMaker(base: SeedBase): (index: number) => SeedPerson {
  const companies: Company[] = []
  const total = companyCount(base.members)
  const companyOf = (index: number): Company => (companies[index] ??= companyAt(base, index))

  return (index) => {
    const joined = joinedAt(base, index)
    const id = `mem_${codeFrom(8, base.number, 21, index)}`
    const known = featured[index]
    if (known !== undefined) return { ...known, id: known.id ?? id, status: "active", joined }
    const random = randomFrom(base.number, 22, index)
    const first = pick(random, firstNames)
    const last = pick(random, lastNames)
    const company = companyOf(mix(base.number, 23, index) % total)
    return {
      id,
      first,
      last,
      email: `${localPart(first, last, Math.floor(random() * 4))}@${company.domain}`,
      company,
      tier: tierFrom(random()),
      status: statusFrom(random(), index / base.members),
      joined,
    }
  }
}

/** Metadata of a member: dealer code, refrigerant licence, region. */
export function personMetadata(base: SeedBase, index: number, person: SeedPerson): Record<string, unknown> {
  const random = randomFrom(base.number, 24, index)
  const data: Record<string, unknown> = {
    dealer_code: person.company.dealerCode,
    arc_licence: index === 0 ? "AU38122" : `AU${between(random, 10_000, 99_999)}`,
    region: person.company.place[2],
  }
  if (random() < 0.25) data["role"] = pick(random, ["installer", "sales", "owner", "apprentice"])
  if (random() < 0.1) data["newsletter"] = random() < 0.7
  return data
}

/** A landline in the range that is kept free for fiction. */
export function personPhone(base: SeedBase, index: number, person: SeedPerson): string {
  const last = String(mix(base.number, 25, index) % 10_000).padStart(4, "0")
  return `+61 ${person.company.place[3]} 5550 ${index === 0 ? "0182" : last}`
}

function localPart(first: string, last: string, form: number): string {
  const [a, b] = [first.toLowerCase(), last.toLowerCase()]
  if (form === 0) return a
  if (form === 1) return `${a.slice(0, 1)}.${b}`
  return `${a}.${b}`
}

function tierFrom(share: number): string {
  return tiers[share < 0.5 ? 0 : share < 0.78 ? 1 : share < 0.94 ? 2 : 3]
}

/** Mostly active; some gone quiet; a few of the newest still waiting. */
function statusFrom(share: number, place: number): string {
  if (place > 0.97 && share < 0.35) return "pending"
  return share > 0.94 ? "inactive" : "active"
}
