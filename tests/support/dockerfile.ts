/** An instruction of a Dockerfile, such as `COPY --from=pages /app/dist dist`. */
export interface Instruction {
  /** In capital letters. */
  readonly name: string
  /** Such as `from`, with its value. */
  readonly flags: Readonly<Record<string, string>>
  /** What follows the flags, on one line. */
  readonly text: string
}

/** The instructions between one FROM and the next. */
export interface Stage {
  readonly name: string
  /** An image, or the stage of that name. */
  readonly from: string
  readonly instructions: readonly Instruction[]
}

/** Reads the part of the Dockerfile language that ours uses. @throws Error for a line that is no instruction */
export function readDockerfile(text: string): Stage[] {
  const stages: (Stage & { instructions: Instruction[] })[] = []
  const lines = text.replaceAll(/^\s*#.*\n/gm, "").replaceAll(/\\\n\s*/g, " ")
  for (const line of lines.split("\n").filter((one) => one.trim() !== "")) {
    const instruction = readInstruction(line)
    if (instruction.name === "FROM") {
      const [from = "", , name = ""] = instruction.text.split(/\s+/)
      stages.push({ name, from, instructions: [] })
    } else {
      const stage = stages.at(-1)
      if (stage === undefined) throw new Error(`${line} precedes any FROM`)
      stage.instructions.push(instruction)
    }
  }
  return stages
}

function readInstruction(line: string): Instruction {
  const [, name, flags = "", text] = /^([A-Z]+)\s+((?:--[a-z-]+(?:=\S+)?\s+)*)(\S.*?)\s*$/.exec(line) ?? []
  if (name === undefined || text === undefined) throw new Error(`${line} is no instruction`)
  const pairs = [...flags.matchAll(/--([a-z-]+)(?:=(\S+))?/g)].map(([, flag = "", value = ""]) => [
    flag,
    value,
  ])
  return { name, flags: Object.fromEntries(pairs), text }
}

/** The variables of the ENV instructions. */
export function environmentOf({ instructions }: Stage): Record<string, string> {
  const texts = instructions.filter(({ name }) => name === "ENV").map(({ text }) => text)
  return Object.fromEntries(texts.flatMap((text) => text.split(/\s+/).map((pair) => pair.split("=", 2))))
}

/** The words of a CMD in its JSON form. */
export function commandOf(text: string): string[] {
  const words: unknown = JSON.parse(text.replace(/^CMD\s+/, ""))
  if (!Array.isArray(words)) throw new Error(`${text} is no list of words`)
  return words.map(String)
}

/** A predicate of paths by the lines of a .dockerignore: whether the build context has the file. The last match counts. */
export function contextFilter(ignoreFile: string): (path: string) => boolean {
  const rules = ignoreFile
    .split("\n")
    .map((line) => line.trim())
    .filter((line) => line !== "" && !line.startsWith("#"))
    .map((line) => ({ kept: line.startsWith("!"), pattern: globOf(line.replace(/^!/, "")) }))
  return (path) => {
    const parts = path.split("/")
    // A rule about a folder is about all that is in it.
    const paths = parts.map((_, at) => parts.slice(0, at + 1).join("/"))
    const last = rules.findLast(({ pattern }) => paths.some((one) => pattern.test(one)))
    return last?.kept ?? true
  }
}

function globOf(glob: string): RegExp {
  const source = glob
    .replaceAll(/[.+^${}()|[\]\\]/g, String.raw`\$&`)
    .replaceAll(/\*\*\/|\*/g, (stars) => (stars === "*" ? "[^/]*" : "(?:.*/)?"))
  return new RegExp(`^${source}$`)
}
