import { existsSync, readdirSync, readFileSync } from "node:fs"
import { join } from "node:path"
import { describe, expect, it } from "vitest"
import { root } from "./tree.ts"

const out = join(root, "dist/app")

/** Text of the built app's files; `npm test` builds it first. */
function built(pattern: RegExp): { name: string; text: string }[] {
  if (!existsSync(out)) throw new Error("Laurel is not built. Run npm run build, then the tests again.")
  return readdirSync(out, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && pattern.test(entry.name))
    .map((entry) => ({ name: entry.name, text: readFileSync(join(entry.parentPath, entry.name), "utf8") }))
}

describe("the client bundle", () => {
  const scripts = built(/\.(js|html|json|css)$/)

  it("is built", () => {
    expect(scripts.length).toBeGreaterThan(5)
  })

  it.each(["PROGRAM_API_KEY=", "process.env", "SESSION_SECRET", "DATABASE_URL", "Bearer "])(
    "does not contain %s",
    (secretName) => {
      // The error catalogue names the variable that an administrator sets, never with a value or a read.
      const found = scripts.filter((file) => file.text.includes(secretName)).map((file) => file.name)
      expect(found).toEqual([])
    },
  )

  it.each([
    "better-auth",
    "zxcvbn",
    "kysely",
    "undici",
    "pino",
    "createSandbox",
    "setupWorker",
    "node:sqlite",
  ])("contains no part of %s", (module) => {
    const found = scripts.filter((file) => file.text.includes(module)).map((file) => file.name)
    expect(found).toEqual([])
  })

  it("has the style sheet of every Mantine class its scripts use", () => {
    const styles = built(/\.css$/)
      .map((file) => file.text)
      .join("\n")
    const used = new Set(built(/\.js$/).flatMap(({ text }) => text.match(mantineClass) ?? []))
    expect([...used].filter((name) => !styles.includes(name) && !unstyled.has(name))).toEqual([])
  })
})

const mantineClass = /\bm_[0-9a-f]{6,8}\b/g

/** Imported with a component, and never rendered or styled by our own sheet. */
const unstyled: ReadonlySet<string> = new Set([
  // Text, in the palette's labels: its own sheet styles them
  "m_b6d8b162",
  // ColorSwatch, in a chart's legend
  "m_de3d2490",
  "m_862f3d1b",
  "m_98ae7f22",
  "m_95709ac0",
  "m_93e74e3",
  // Loader, in a loading input: ours show it next to the form's button
  "m_5ae2e3c",
  "m_7a2bd4cd",
  "m_870bb79",
  "m_5d2b3b9d",
  "m_4e3f22d7",
  "m_870c4af",
  "m_aac34a1",
  "m_b34414df",
  "m_f8e89c4b",
  // Checkbox.Card and Checkbox.Indicator
  "m_26775b0a",
  "m_5e5256ee",
  "m_1b1c543a",
  "m_193e54c8",
  "m_76e20374",
  // Radio.Card and Radio.Indicator
  "m_9dc8ae12",
  "m_717d7ff6",
  "m_3e4da632",
  "m_7eec72c0",
  "m_2980836c",
])
