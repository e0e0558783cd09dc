/// <reference types="astro/client" />

/** Changes when the code or a build setting changes. Defined in scripts/build/integration.ts. */
declare const __CODE_HASH__: string;
/** The folder into which `astro build` writes the site, '' in `astro dev`. Defined in scripts/build/integration.ts. */
declare const __SITE_FOLDER__: string;
/** The file in which the build lists the islands' scripts, '' in `astro dev`. Defined in scripts/build/integration.ts. */
declare const __ISLAND_SCRIPTS__: string;
/** The capabilities of the API (domain/capabilities.ts). Defined in scripts/build/integration.ts. */
declare const __CAPABILITIES__: Readonly<Record<import('#domain/capabilities.ts').CapabilityName, boolean>>;

interface ImportMetaEnv {
  /** Origin of the API, read at build time; default http://localhost:8044. */
  readonly PUBLIC_API_HOST?: string;
  /** Comma-separated hosts that a payment form may be posted to. If absent, any https host. */
  readonly PUBLIC_PAYMENT_HOSTS?: string;
  /** 'off' builds the shop without its service worker and removes it from browsers that have it. */
  readonly PUBLIC_SERVICE_WORKER?: string;
  /** 'passthrough' uses the API's picture URLs, such as an image CDN. Otherwise the build encodes variants. */
  readonly PUBLIC_IMAGES?: string;
  /** 'false' leaves the page /api-test out of the build. scripts/build/run-astro.ts sets it in production. */
  readonly PUBLIC_API_TEST?: string;
  /** 'true' marks each page as a demonstration. */
  readonly PUBLIC_DEMO?: string;
}

declare module '*?inline-script' {
  /** The module and all its imports, bundled into the text of a classic script. */
  export const code: string;
}
