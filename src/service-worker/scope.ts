/** The types of a service worker that the DOM library does not have. */
export interface LifeEvent extends Event {
  waitUntil(work: Promise<unknown>): void;
}

export type MessageToWorker = MessageEvent<unknown> & LifeEvent;

export interface WorkerScope {
  readonly registration: ServiceWorkerRegistration;
  skipWaiting(): Promise<void>;
  addEventListener(type: 'install' | 'activate', listener: (event: LifeEvent) => void): void;
  addEventListener(type: 'message', listener: (event: MessageToWorker) => void): void;
}

/** The pages and files to fetch ahead for one step of a visit. */
export type Step = readonly string[];

/** What the build puts into the worker. */
export interface WorkerBuild {
  /** The offline page and all files that it needs, cached from the first visit on. */
  readonly shell: readonly { readonly url: string; readonly revision: string | null }[];
  readonly steps: Readonly<Record<string, Step>>;
  /** The addresses of all pages but those of products. */
  readonly pages: readonly string[];
}
