import { type Failure, isSignedOut } from '#api/failure.ts';
import { onReturn } from '#stores/shell/navigation.ts';
import { $session, guardPage, isReplaced, type Session } from './session.ts';

interface PrivatePart {
  /** Called when somebody is known to be signed in, and again when the page comes back by Back. */
  load(): void;
  /** Back to what the built page shows: nothing of anybody. */
  hide(): void;
  /** Whether what was asked for could not be had: then it is asked for again when the network is back (faults 18). */
  hasFailed?(): boolean;
}

/**
 * Shows somebody's own data while they are signed in: emptied when the page is left or the session ends, so that Back
 * after a sign-out shows nothing (faults 44). Returns the way to close it.
 */
export function openPrivatePart({ load, hide, hasFailed }: PrivatePart): () => void {
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
  const askAgain = (): void => {
    if (isOpen && hasFailed?.()) load();
  };
  addEventListener('pagehide', close);
  addEventListener('online', askAgain);
  const stops = [
    $session.subscribe(follow),
    onReturn(() => follow($session.get())),
    () => removeEventListener('pagehide', close),
    () => removeEventListener('online', askAgain),
  ];
  return () => {
    for (const stop of stops) stop();
    close();
  };
}

/** A page that is all somebody's own: guarded as well (spec 2, login guard). Returns the way to close it. */
export function openPrivatePage(page: PrivatePart): () => void {
  const stops = [guardPage(), openPrivatePart(page)];
  return () => {
    for (const stop of stops) stop();
  };
}

/**
 * Whether the answer ended the session, which is the guard's business from then on (resolutions 29), or was meant for a
 * token that another tab has replaced: then the private part has been read anew. A 401 for a token that cannot be read
 * ends none: it is a failure like others.
 */
export const endsSession = (failure: Failure): boolean => isSignedOut(failure) && isReplaced();
