const people = [
  { id: "mem_1", first: "Dalia", last: "Haddad", company: "Top End Climate", points: 31_200 },
  { id: "mem_2", first: "Leila", last: "Farahani", company: "ClimatePro", points: 26_880 },
  { id: "mem_3", first: "Bec", last: "Hargreaves", company: "Climate West", points: 22_045 },
]
type Person = (typeof people)[number]

const full = ({ first, last }: Person) => `${first} ${last}`
const rows = (make: (person: Person, place: number) => unknown) =>
  people.map((person, at) => make(person, at + 1))

/** The same ranking under known column names; in each, Dalia Haddad is first with 31,200. */
export const knownShapes = {
  snake: rows((p, rank) => ({ rank, member_id: p.id, name: full(p), points: p.points })),
  camel: rows((p, position) => ({ position, memberId: p.id, displayName: full(p), totalScore: p.points })),
  nested: rows((p, rank) => ({
    rank,
    member: { id: p.id, name: full(p), company: p.company },
    score: p.points,
  })),
  texts: rows((p, rank) => ({ Rank: `${rank}`, Name: full(p), Score: p.points.toLocaleString("en-AU") })),
  parts: rows((p, rank) => ({ rank, first_name: p.first, last_name: p.last, points: p.points, change: -1 })),
  unranked: rows((p) => ({ name: full(p), total_points: p.points, company: p.company })),
}

/** Responses without usable rankings, each with a text that the page must show. */
export const nonsense: Readonly<Record<string, readonly [sent: unknown, shown: RegExp]>> = {
  "a text": ["under construction", /under construction/],
  nothing: [null, /null/],
  "a number": [42, /42/],
  "an empty record": [{}, /\{\}/],
  "an empty list": [[], /No rankings yet/],
  texts: [["alpha", "beta"], /alpha/],
  nulls: [[null, null], /null/],
  numbers: [[3, 2, 1], /3/],
  "lists of lists": [
    [
      [1, [2]],
      [3, [4]],
    ],
    /\[ 1, \[ 2 \] \]/,
  ],
  "empty records": [[{}, {}], /\{\}/],
  "huge numbers": [[{ rank: 1e21, name: "Ana", score: 1e300 }], /1e\+300/],
  "ranks that come twice": [
    [
      { rank: 1, name: "Ana", score: 1 },
      { rank: 1, name: "Bo", score: 1 },
    ],
    /tied/,
  ],
  unicode: [[{ rank: 1, name: "𝓐na 🏆 \u202Eb\u0000", score: 1 }], /𝓐na 🏆/u],
  "names without a meaning": [rows((p, a) => ({ a, b: full(p), c: p.points })), /Dalia Haddad/],
  "lists of values": [rows((p) => [full(p), p.points]), /Dalia Haddad/],
  "field names": [[{ "": 1, "a.b": "<script>", constructor: 3 }], /<script>/],
  "other names": [rows((p, standing) => ({ standing, installer: full(p), sales: p.points })), /Dalia Haddad/],
  "a list in a record": [{ entries: rows((p, rank) => ({ rank, name: full(p) })) }, /Dalia Haddad/],
  mixed: [[{ rank: 1, name: "Ana", score: 5 }, null, "x", [1], 7], /Ana/],
  "not recognised": [
    [
      { a: true, b: [4, null], c: { d: "–" } },
      { a: false, b: [], c: { d: "–" } },
    ],
    /\[ 4, null \]/,
  ],
}
