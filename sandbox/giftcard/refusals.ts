import { Refusal } from "../refusal.ts"
import type { SandboxSettings } from "../settings.ts"

/** The code of a body that does not fit, or of a denomination that is not on the card. */
export function invalidCode(settings: SandboxSettings, what: "body" | "denomination"): string {
  if (settings.giftcardInvalidCode !== "split") return settings.giftcardInvalidCode
  return what === "body" ? "VALIDATION_ERROR" : "INVALID_ARGUMENT"
}

/** A refusal whose code the document does not specify. */
export function unspecified(
  settings: SandboxSettings,
  status: number,
  code: string,
  message: string,
): Refusal {
  return new Refusal(status, settings.giftcardUnspecifiedCodes ? code : undefined, message)
}
