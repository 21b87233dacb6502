import type { Api } from "../../contract/status.ts"

/** The services as sentences name them. */
export const serviceNames: Readonly<Record<Api, string>> = {
  program: "the program service",
  giftcard: "the gift-card service",
}

/** The same at the beginning of a sentence. */
export const serviceNamesFirst: Readonly<Record<Api, string>> = {
  program: "The program service",
  giftcard: "The gift-card service",
}
