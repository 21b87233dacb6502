const { BASE_URL } = import.meta.env

/**
 * The path that Laurel is served at, with a slash at both ends. The demo is built for any path and derives it from its
 * page, which is always opened at the root (src/demo/start.ts).
 */
export const appRoot = BASE_URL.startsWith(".") ? new URL(BASE_URL, document.baseURI).pathname : BASE_URL
