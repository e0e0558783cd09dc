import { onReturn } from './navigation.ts';
import { $session, guardPage, type Session } from './session.ts';

interface PrivatePage {
  /** Called when somebody is known to be signed in, and again when the page comes back by Back. */
  load(): void;
  /** Back to what the built page shows: nothing of anybody. */
  hide(): void;
}

/**
 * Opens a page of somebody's own data: guarded, and emptied when it is left or the session ends, so that Back after a
 * sign-out shows nothing (spec 2, login guard; faults 44). Returns the way to close it.
 */
export function openPrivatePage({ load, hide }: PrivatePage): () => void {
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
  addEventListener('pagehide', close);
  const stops = [
    guardPage(),
    $session.subscribe(follow),
    onReturn(() => follow($session.get())),
    () => removeEventListener('pagehide', close),
  ];
  return () => {
    for (const stop of stops) stop();
    close();
  };
}
