/**
 * The nonce of the content security policy, which the server puts into the page; styles made at run time carry it.
 * Empty where no policy is sent (development).
 */
export function pageNonce(): string {
  return document.querySelector<HTMLMetaElement>("meta[property=csp-nonce]")?.nonce ?? ""
}
