/** Service worker types that the DOM library lacks. */
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

/** The pages and files to prefetch for one step of a visit. */
export type Step = readonly string[];

/** Inserted by the build. */
export interface WorkerBuild {
  /** The offline page and all its files, cached from the first visit on. */
  readonly shell: readonly { readonly url: string; readonly revision: string | null }[];
  readonly steps: Readonly<Record<string, Step>>;
  /** All pages except products. */
  readonly pages: readonly string[];
}
