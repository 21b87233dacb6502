const { BASE_URL } = import.meta.env

/**
 * The path below which Laurel is served, with a slash at both ends. The demo is built for any path and finds its own:
 * its page is always opened at its root, and this is read before an address is shown (src/demo/start.ts).
 */
export const appRoot = BASE_URL.startsWith(".") ? new URL(BASE_URL, document.baseURI).pathname : BASE_URL
