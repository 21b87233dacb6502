/** Why the store did not open, in one sentence for a person. Never carries the database's password. */
export class StoreRefused extends Error {
  override readonly name = "StoreRefused"
}
