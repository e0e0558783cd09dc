import { type Failure, isSignedOut } from '#api/failure.ts';
import { onReturn } from '#stores/shell/navigation.ts';
import { $session, guardPage, isSessionReplaced, type Session } from './session.ts';

interface PrivateSection {
  /** Called when the user is known to be signed in, and again when the page returns from the back/forward cache. */
  load(): void;
  /** Resets the section to what the pre-rendered page shows, without any personal data. */
  hide(): void;
  /** Whether the last load failed. If so, `load` is called again when the network is back (faults 18). */
  hasFailed?(): boolean;
}

/**
 * A section of a page that shows personal data while its user is signed in. It is hidden when the page is left or the
 * session ends, so that Back after a sign-out shows nothing (faults 44). Returns a function that closes it.
 */
export function openPrivateSection({ load, hide, hasFailed }: PrivateSection): () => void {
  let isOpen = false;
  const close = (): void => {
    isOpen = false;
    hide();
  };
  const follow = ({ status }: Session): void => {
    if (status !== 'signed-in') close();
    else if (!isOpen) {
      isOpen = true;
      load();
    }
  };
  const retry = (): void => {
    if (isOpen && hasFailed?.()) load();
  };
  addEventListener('pagehide', close);
  addEventListener('online', retry);
  const stops = [
    $session.subscribe(follow),
    onReturn(() => follow($session.get())),
    () => removeEventListener('pagehide', close),
    () => removeEventListener('online', retry),
  ];
  return () => {
    for (const stop of stops) stop();
    close();
  };
}

/** The same for a whole page, which only signed-in users may open (spec 2, login guard). */
export function openPrivatePage(page: PrivateSection): () => void {
  const stops = [guardPage(), openPrivateSection(page)];
  return () => {
    for (const stop of stops) stop();
  };
}

/**
 * Whether a failed request means that the session has ended or that another tab has signed in anew. The caller then
 * shows no error: the guard leaves the page (resolutions 29), or the private section has loaded again. If the cookie
 * could not be decoded, it stays although the server answers 401, and the failure is shown like any other.
 */
export const endsSession = (failure: Failure): boolean => isSignedOut(failure) && isSessionReplaced();
