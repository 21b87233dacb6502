/** The register of gift cards. Times in ms since 1970, yes and no as 1 and 0. */
export interface CardTable {
  readonly id: string
  readonly origin: string
  readonly status: string | null
  readonly template: string | null
  readonly amount_cents: number | null
  readonly reference: string | null
  readonly own_reference: string | null
  readonly member_id: string | null
  readonly email: string | null
  readonly name: string | null
  readonly member_created: number | null
  readonly is_test: number | null
  readonly issued_at: number | null
  readonly expires_at: number | null
  /** The job's number. */
  readonly job: number | null
  readonly row: number | null
  readonly by_id: string
  readonly by_name: string
  readonly replayed: number | null
  readonly message: string | null
  readonly looked_up_at: number | null
  /** What is searched, in lower case. */
  readonly search: string
}
