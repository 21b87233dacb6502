import { company, type Company } from "./companies.ts"

/** A member who is the same in every seed: the people of the screenshots and of examples in tests. */
export interface FeaturedPerson {
  readonly first: string
  readonly last: string
  readonly email: string
  readonly company: Company
  readonly tier: string
  readonly id: string | undefined
}

const coastal = company(
  "Coastal Climate Co",
  ["Maroochydore", "QLD", "Sunshine Coast", "7"],
  417,
  "coastalclimate.com.au",
)
const west = company(
  "Climate West Fremantle",
  ["Fremantle", "WA", "Perth South", "8"],
  231,
  "climatewest.com.au",
)
const partners = company(
  "Air & Climate Partners",
  ["Alexandria", "NSW", "Sydney Metro", "2"],
  108,
  "airclimate.net.au",
)
const topEnd = company(
  "Top End Climate Control",
  ["Winnellie", "NT", "Darwin", "8"],
  19,
  "topendclimate.com.au",
)
const geelong = company("ClimatePro Geelong", ["Corio", "VIC", "Geelong", "3"], 562, "climatepro.com.au")
const highland = company(
  "Highland Climate Services",
  ["Toowoomba", "QLD", "Darling Downs", "7"],
  390,
  "highlandclimate.com.au",
)
const bianchi = company(
  "Bianchi Climate & Electrical",
  ["Wingfield", "SA", "Adelaide North", "8"],
  77,
  "bianchiclimate.com.au",
)
const launceston = company(
  "Climateworks Launceston",
  ["Invermay", "TAS", "Launceston", "3"],
  34,
  "climateworks.net.au",
)
const murray = company("Murray River Climate", ["Albury", "NSW", "Murray", "2"], 288, "murrayclimate.com.au")
const north = company(
  "North Climate Townsville",
  ["Garbutt", "QLD", "Townsville", "7"],
  451,
  "northclimate.com.au",
)

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
