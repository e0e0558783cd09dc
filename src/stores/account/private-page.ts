import { type Failure, isSignedOut } from '#api/failure.ts';
import { onReturn } from '#stores/shell/navigation.ts';
import { $session, guardPage, isSessionReplaced, type Session } from './session.ts';

interface PrivateSection {
  /**
   * Loads the section: when the user is known to be signed in, when the page returns from the back/forward cache, and when
   * it is asked to. The signal is aborted when another load begins or the section is hidden.
   */
  load(signal: AbortSignal): Promise<void>;
  /** Resets the section to what the pre-rendered page shows, without any personal data. */
  hide(): void;
  /** Whether the last load failed. If so, `load` is called again when the network is back. */
  hasFailed?(): boolean;
}

/**
 * A section of a page that shows personal data while its user is signed in. It is hidden when the page is left or the
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
  const open = (): (() => void) => {
    addEventListener('pagehide', close);
    addEventListener('online', retry);
    const stops = [
      guard(),
      $session.subscribe(follow),
      onReturn(() => follow($session.get())),
      () => removeEventListener('pagehide', close),
      () => removeEventListener('online', retry),
    ];
    return () => {
      for (const stop of stops) stop();
      close();
    };
  };
  return { open, reload };
}

/** The same for a whole page, which only signed-in users may open. */
export const privatePage = (page: PrivateSection) => privateSection(page, guardPage);

/**
 * Whether a failed request means that the session has ended or that another tab has signed in anew. The caller then
 * shows no error: the guard leaves the page, or the private section has loaded again. If the cookie
 * could not be decoded, it stays although the server answers 401, and the failure is shown like any other.
 */
export const endsSession = (failure: Failure): boolean => isSignedOut(failure) && isSessionReplaced();
