import { randomFrom, seedNumber, type Random } from "../random.ts"
import type { Api } from "../refusal.ts"
import { faultInput, type FaultInput, type FaultRule } from "./rule.ts"

/** What a rule is matched against. */
export interface Arrival {
  readonly api: Api
  readonly method: string
  readonly path: string
}

/** The faults that were asked for. The first rule that strikes decides about a request. */
export class FaultBox {
  private readonly rules: FaultRule[] = []
  private readonly seed: number
  private random: Random
  private count = 0

  constructor(seed: string | number) {
    this.seed = seedNumber(seed)
    this.random = randomFrom(this.seed, 81)
  }

  /** Adds a rule, behind those that are there. Throws a ZodError on a bad one. */
  add(input: FaultInput): FaultRule {
    this.count += 1
    const parsed = faultInput.parse(input)
    const rule: FaultRule = { ...parsed, id: parsed.id ?? `fault_${this.count}`, seen: 0, fired: 0 }
    this.rules.push(rule)
    return rule
  }

  /** Takes a rule out; false if there is none with that id. */
  remove(id: string): boolean {
    const index = this.rules.findIndex((rule) => rule.id === id)
    if (index < 0) return false
    this.rules.splice(index, 1)
    return true
  }

  /** Takes all rules out and starts the generator again. */
  clear(): void {
    this.rules.length = 0
    this.random = randomFrom(this.seed, 81)
  }

  list(): readonly FaultRule[] {
    return this.rules
  }

  /** The rule that strikes a request, if any. Counts, so it is asked once per request. */
  strike(arrival: Arrival): FaultRule | undefined {
    for (const rule of this.rules) {
      if (!matches(rule, arrival)) continue
      rule.seen += 1
      if (!this.due(rule)) continue
      rule.fired += 1
      return rule
    }
    return undefined
  }

  /** A number in [0, 1) for what a fault leaves to chance. */
  draw(): number {
    return this.random()
  }

  private due({ match, seen, fired }: FaultRule): boolean {
    if (match.times !== undefined && fired >= match.times) return false
    if (match.nth !== undefined && seen !== match.nth) return false
    if (match.every !== undefined && seen % match.every !== 0) return false
    return match.probability === undefined || this.random() < match.probability
  }
}

function matches({ match }: FaultRule, { api, method, path }: Arrival): boolean {
  if (match.api !== undefined && match.api !== api) return false
  if (match.method !== undefined && match.method.toUpperCase() !== method) return false
  return match.path === undefined || pattern(match.path).test(path)
}

function pattern(glob: string): RegExp {
  const escaped = glob.split("*").map((part) => part.replaceAll(/[.*+?^${}()|[\]\\]/g, "\\$&"))
  return new RegExp(`^${escaped.join(".*")}$`)
}
