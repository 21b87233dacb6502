/** Something that waits on behalf of somebody. */
interface Waiting {
  readonly who: string
}

/** Waiting in order, and in turn between people: one person's burst does not hold the others up. */
export interface FairQueue<T extends Waiting> {
  push(item: T): void
  /** Whose turn it is, without taking it. */
  peek(): T | undefined
  /** Takes whose turn it is; that person's next one waits until everybody else had a turn. */
  shift(): T | undefined
  /** Takes one out of turn, because it gave up. */
  remove(item: T): void
  size(): number
}

/** An empty queue. */
export function createFairQueue<T extends Waiting>(): FairQueue<T> {
  // People in turn order; a Map keeps the order in which they were put in.
  const people = new Map<string, T[]>()

  const first = (): [string, T[]] | undefined => people.entries().next().value

  return {
    push(item) {
      const own = people.get(item.who)
      if (own === undefined) people.set(item.who, [item])
      else own.push(item)
    },
    peek: () => first()?.[1][0],
    shift() {
      const turn = first()
      if (turn === undefined) return undefined
      const [who, own] = turn
      const item = own.shift()
      people.delete(who)
      if (own.length > 0) people.set(who, own)
      return item
    },
    remove(item) {
      const own = people.get(item.who)
      const at = own?.indexOf(item) ?? -1
      if (own === undefined || at < 0) return
      own.splice(at, 1)
      if (own.length === 0) people.delete(item.who)
    },
    size: () => [...people.values()].reduce((sum, own) => sum + own.length, 0),
  }
}
