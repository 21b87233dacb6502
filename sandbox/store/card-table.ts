import type { ChangeLog } from "./change-log.ts"
import type { CardRecord, KeyRecord, MailRecord } from "./records.ts"

/** Issued cards, remembered idempotency keys and the e-mails sent. */
export class CardTable {
  private readonly log: ChangeLog
  private readonly cards = new Map<string, CardRecord>()
  private readonly byRef = new Map<string, CardRecord[]>()
  private readonly keys = new Map<string, KeyRecord>()
  /** Keys whose first request is still being carried out. */
  readonly inProgress = new Set<string>()
  /** Every e-mail sent, oldest first. */
  readonly outbox: MailRecord[] = []

  constructor(seeded: readonly CardRecord[], log: ChangeLog) {
    this.log = log
    for (const card of seeded) this.index(card)
  }

  get all(): readonly CardRecord[] {
    return [...this.cards.values()]
  }

  get(id: string): CardRecord | undefined {
    return this.cards.get(id)
  }

  /** Cards with an external reference, of one template or of any. */
  withRef(externalRef: string, cardId?: string): readonly CardRecord[] {
    const found = this.byRef.get(externalRef) ?? []
    return cardId === undefined ? found : found.filter((card) => card.cardId === cardId)
  }

  add(card: CardRecord): void {
    this.index(card)
    this.log.note("card", card.id, card)
  }

  /** What a key stands for, unless it is older than `retention` ms (null: kept for ever). */
  recall(key: string, now: number, retention: number | null): KeyRecord | undefined {
    const found = this.keys.get(key)
    return found === undefined || (retention !== null && now - found.kept > retention) ? undefined : found
  }

  remember(record: KeyRecord): void {
    this.keys.set(record.key, record)
    this.log.note("key", record.key, record)
  }

  mail(mail: MailRecord): void {
    this.outbox.push(mail)
    this.log.note("mail", mail.id, mail)
  }

  private index(card: CardRecord): void {
    if (this.cards.has(card.id)) return
    this.cards.set(card.id, card)
    if (card.externalRef === null) return
    const list = this.byRef.get(card.externalRef)
    if (list === undefined) this.byRef.set(card.externalRef, [card])
    else list.push(card)
  }
}
