import { safePath } from '#domain/redirect.ts';
import { tabStorage } from './storage.ts';

/** Every way the stores leave a page, so that tests and rules have one place to look. */

const REMEMBERED_KEY = 'from';

/** Goes to a page of this shop. */
export const goTo = (path: string): void => location.assign(path);

/** The same without a way back to this page. */
export const replaceWith = (path: string): void => location.replace(path);

/** Leaves for an address that has passed an allow-list of `domain/payment-target.ts`. */
export const leaveFor = (checkedUrl: string): void => location.assign(checkedUrl);

/** Kept for the time after the sign-in (resolutions 25). */
export const rememberPath = (path: string): void => tabStorage.write(REMEMBERED_KEY, path);

/** The remembered path, which is then forgotten; '/' where there is none. */
export const takeRememberedPath = (): string => safePath(tabStorage.take(REMEMBERED_KEY));

export const currentPath = (): string => location.pathname.replace(/\.html$/, '') + location.search;

/** What the address asks of this page by this name, or nothing. */
export const asked = (name: string): string | undefined =>
  new URLSearchParams(location.search).get(name) ?? undefined;

/** Takes what was asked out of the address: it has been answered. */
export const forgetAsked = (): void => history.replaceState(history.state, '', location.pathname);

/** Calls back when this page comes back from the back/forward cache as it was left. Returns the way to stop. */
export function onReturn(returned: () => void): () => void {
  if (typeof document === 'undefined') return () => {};
  const onShow = ({ persisted }: PageTransitionEvent): void => {
    if (persisted) returned();
  };
  addEventListener('pageshow', onShow);
  return () => removeEventListener('pageshow', onShow);
}
