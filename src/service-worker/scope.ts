/** The little of a service worker's world that is not in the page's own types. */
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

/** The pages and files that are fetched together before a step of the shop is needed. */
export type Step = readonly string[];

/** What the build tells the worker. */
export interface WorkerBuild {
  /** The offline page with all it needs: kept from the first visit on. */
  readonly shell: readonly { readonly url: string; readonly revision: string | null }[];
  readonly steps: Readonly<Record<string, Step>>;
}
