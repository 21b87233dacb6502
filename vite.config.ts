import { mkdirSync } from "node:fs"
import { tanstackRouter } from "@tanstack/router-plugin/vite"
import react from "@vitejs/plugin-react"
import { msw } from "msw/vite"
import { defineConfig } from "vite"
import { VitePWA } from "vite-plugin-pwa"

// The router's plugin writes here before it moves the finished file into place (tsr.config.json, tmpDir).
mkdirSync(new URL("node_modules/.cache/routes", import.meta.url), { recursive: true })

/** Builds `src/sw.ts` with the list of files to precache: what was built, and the page without a session. */
const serviceWorker = VitePWA({
  strategies: "injectManifest",
  srcDir: "src",
  filename: "sw.ts",
  manifest: false,
  injectRegister: false,
  injectManifest: {
    globPatterns: ["assets/**/*.{js,css,woff2}", "index.html"],
    dontCacheBustURLsMatching: /assets\//,
    maximumFileSizeToCacheInBytes: 10_000_000,
    manifestTransforms: [
      (entries) => ({
        manifest: entries.map((entry) => ({
          ...entry,
          url: entry.url === "index.html" ? "/shell.html" : `/${entry.url}`,
        })),
      }),
    ],
  },
})

/**
 * The app (`vite build` → dist/app) and the demo (`vite build --mode demo` → dist/demo), which is the same app with a
 * service worker instead of the server. Route settings are in tsr.config.json.
 */
export default defineConfig(({ mode }) => {
  const demo = mode === "demo"
  return {
    // The demo may be served from any path; it finds out which (src/lib/app-root.ts).
    base: demo ? "./" : "/",
    plugins: [
      // A route's loader is in the chunk of its page: the sign-in page loads neither.
      tanstackRouter({ codeSplittingOptions: { defaultBehavior: [["loader", "component"]] } }),
      react(),
      !demo && serviceWorker,
      demo && msw({ mode: "worker-only" }),
    ],
    build: {
      outDir: demo ? "dist/demo" : "dist/app",
      emptyOutDir: true,
      // The server preloads a route's chunks by it.
      manifest: true,
      // The demo carries both services.
      chunkSizeWarningLimit: 1500,
      // Every browser we support preloads modules.
      modulePreload: { polyfill: false },
      rolldownOptions: {
        output: {
          codeSplitting: {
            groups: [
              {
                name: "framework",
                test: /node_modules[\\/](react|react-dom|scheduler|@tanstack[\\/](history|query-core|react-query|react-router|react-store|router-core|store)|zod)[\\/]/,
                priority: 2,
              },
              // Alone: the entry needs it, and checks the browser before anything else is loaded.
              { name: "preload-helper", test: /vite\/preload-helper/, priority: 3 },
              // Every page needs the start, every list page the lists, each with what it imports, and half of the
              // chunks some of the contract. Otherwise each set of pages that uses a module has a chunk of its own.
              { name: "start", test: /src[\\/]start\.tsx$/, priority: 1 },
              { name: "lists", test: /src[\\/]lists[\\/]/, minShareCount: 8 },
              { name: "contract", test: /[\\/]contract[\\/]/, minShareCount: 50 },
              { name: "icons", test: /node_modules[\\/]@tabler[\\/]/, minShareCount: 5 },
            ],
          },
        },
      },
    },
    // The server takes changes from the origin that the browser shows, so the host stays as it was sent.
    server: { proxy: { "/api": { target: "http://127.0.0.1:3000", changeOrigin: false } } },
  }
})
