/** A file that cannot be read, in words for the person who chose it. */
export class Refusal extends Error {
  override readonly name = "Refusal"
  /** What to do about it. */
  readonly help: string

  /** @param message what is wrong with the file */
  constructor(message: string, help: string) {
    super(message)
    this.help = help
  }
}
