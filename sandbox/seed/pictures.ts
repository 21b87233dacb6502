import { mix, seedNumber } from "../random.ts"

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
export function rewardPicture(name: string, category: string): string {
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
export const brokenPicture = "data:image/png;base64,bm90IGEgcGljdHVyZQ=="
