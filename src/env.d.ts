/// <reference types="astro/client" />

/** Changes when the code or a build setting changes; a constant of scripts/build/integration.ts. */
declare const __CODE_HASH__: string;
/** The folder in which `astro build` makes the site, '' while developing; a constant of scripts/build/integration.ts. */
declare const __SITE_FOLDER__: string;

interface ImportMetaEnv {
  /** Origin of the API, read at build time; default http://localhost:8044 (resolutions 7). */
  readonly PUBLIC_API_HOST?: string;
  /** 'true' makes POST /orders carry an Idempotency-Key (faults 19, 21). */
  readonly PUBLIC_IDEMPOTENCY_KEYS?: string;
  /** 'true' makes POST /orders carry sizes and colours as `lines` (resolutions 21). */
  readonly PUBLIC_ORDER_LINES?: string;
  /** Comma-separated hosts a payment form may be posted to; absent means any https host (faults 54). */
  readonly PUBLIC_PAYMENT_HOSTS?: string;
  /** 'off' leaves the shop without its service worker, and removes it where it is. */
  readonly PUBLIC_SERVICE_WORKER?: string;
  /** 'passthrough' shows pictures at the API's addresses, for an image CDN there; else the build encodes them. */
  readonly PUBLIC_IMAGES?: string;
  /** 'false' leaves the page /api-test out of the build (faults 92). */
  readonly PUBLIC_API_TEST?: string;
}

declare module '*?inline-script' {
  /** The module and all it imports, as the text of a classic script. */
  export const code: string;
}
