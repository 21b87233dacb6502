/** The content security policy's nonce for styles created at run time; empty in development. */
export function pageNonce(): string {
  return document.querySelector<HTMLMetaElement>("meta[property=csp-nonce]")?.nonce ?? ""
}
