/** A changed record, plain JSON: what a file or IndexedDB keeps and gives back. `value` null: it is gone. */
export interface Change {
  readonly kind: string
  readonly id: string
  readonly value: unknown
}

/** The records changed since they were last asked for; a record changed twice is there once, as it stands. */
export class ChangeLog {
  private changed = new Map<string, Change>()

  note(kind: string, id: string, value: unknown): void {
    this.changed.set(`${kind}\n${id}`, { kind, id, value })
  }

  /** Hands the changes over and forgets them. */
  drain(): Change[] {
    const list = [...this.changed.values()]
    this.changed.clear()
    return list
  }
}
