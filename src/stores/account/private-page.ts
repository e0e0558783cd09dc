import { type Failure, isSignedOut } from '#api/failure.ts';
import { onEvents, onReturn, stopAll } from '#stores/shell/events.ts';
import { $session, guardPage, isSessionReplaced, type Session } from './session.ts';

interface PrivateSection {
  /**
   * Loads the section when the customer is known to be signed in, when the page returns from the back/forward cache,
   * and on `reload`. The signal is aborted when another load begins or the section is hidden.
   */
  load(signal: AbortSignal): Promise<void>;
  /** Resets the section to the pre-rendered state, without personal data. */
  hide(): void;
  /** Whether the last load failed. If so, the section is loaded again when the network is back. */
  hasFailed?(): boolean;
}

/**
 * A section of a page that shows personal data of the signed-in customer. It is hidden when the page is left or the
 * session ends, so that Back after a sign-out shows nothing. `open` returns a function that closes it.
 */
export function privateSection(
  { load, hide, hasFailed }: PrivateSection,
  guard: () => () => void = () => () => {},
) {
  let isOpen = false;
  let loading = new AbortController();
  const reload = (): Promise<void> => {
    loading.abort();
    loading = new AbortController();
    return load(loading.signal);
  };
  const close = (): void => {
    isOpen = false;
    loading.abort();
    hide();
  };
  const follow = ({ status }: Session): void => {
    if (status !== 'signed-in') close();
    else if (!isOpen) {
      isOpen = true;
      void reload();
    }
  };
  const retry = (): void => {
    if (isOpen && hasFailed?.()) void reload();
  };
  const open = (): (() => void) =>
    stopAll(
      onEvents(['pagehide'], close),
      onEvents(['online'], retry),
      guard(),
      $session.subscribe(follow),
      onReturn(() => follow($session.get())),
      close,
    );
  return { open, reload };
}

export const privatePage = (page: PrivateSection) => privateSection(page, guardPage);

/**
 * Whether the request failed because the session has ended or another tab has signed in again. The caller then shows no
 * error, because the guard leaves the page or the private section loads again.
 */
export const endsSession = (failure: Failure): boolean => isSignedOut(failure) && isSessionReplaced();
