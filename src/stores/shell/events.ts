declare global {
  interface WindowEventMap {
    /** It bubbles from the document. */
    visibilitychange: Event;
  }
}

/**
 * Listens on the window. Returns a function that stops it. Islands are also rendered at build, where there are no
 * events.
 */
export function onEvents<Type extends keyof WindowEventMap>(
  types: readonly Type[],
  act: (event: WindowEventMap[Type]) => void,
  capture = false,
): () => void {
  if (typeof document === 'undefined') return () => {};
  for (const type of types) addEventListener(type, act, capture);
  return () => {
    for (const type of types) removeEventListener(type, act, capture);
  };
}

/** Calls back when the browser restores this page from the back/forward cache. */
export const onReturn = (restored: () => void): (() => void) =>
  onEvents(['pageshow'], ({ persisted }) => {
    if (persisted) restored();
  });

/** Calls back when this page is shown again, as after a switch of tabs or apps. */
export const onVisible = (shown: () => void): (() => void) =>
  onEvents(['visibilitychange'], () => {
    if (document.visibilityState === 'visible') shown();
  });

/**
 * Returns the pressed key; '' if an input method, another listener or (with a modifier) the browser handles it. Safari
 * ends composing before it sends the key, with the code 229.
 */
export function keyOf(press: KeyboardEvent): string {
  const hasModifier = press.altKey || press.ctrlKey || press.metaKey || press.shiftKey;
  return hasModifier || press.isComposing || press.keyCode === 229 || press.defaultPrevented ? '' : press.key;
}

export const stopAll =
  (...stops: (() => void)[]): (() => void) =>
  () => {
    for (const stop of stops) stop();
  };
