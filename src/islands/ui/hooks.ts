import { type ComponentType, useEffect, useRef, useState, useSyncExternalStore } from 'react';
import { inTime } from '#stores/shell/pause.ts';

/**
 * When `count` falls and the focused element was removed, moves the focus to the first existing element of `ids`.
 * Otherwise the focus would return to the start of the page. If none of them exists yet, the hook waits for one.
 */
export function useFocusAfterRemoval(count: number, ...ids: readonly string[]): void {
  const before = useRef(count);
  const isLost = useRef(false);
  useEffect(() => {
    if (count < before.current) isLost.current = true;
    before.current = count;
    const next = isLost.current && ids.map((id) => document.getElementById(id)).find(Boolean);
    if (!next) return;
    isLost.current = false;
    // With a count of 0, the next element may be outside the viewport, so scrolling to it is allowed.
    if (document.activeElement === document.body) next.focus({ preventScroll: count > 0 });
  });
}

export const focusAtOnce = (element: HTMLElement | null): void => element?.focus();

const never = () => () => {};

/** False at build and during hydration. When true, data of the browser may be rendered. */
export const useHydrated = (): boolean =>
  useSyncExternalStore(
    never,
    () => true,
    () => false,
  );

/** Loads the code of a component when it is wanted. Returns undefined until then. Calls `failed` on a failure. */
export function useLazyComponent<Props>(
  isWanted: boolean,
  fetchPart: () => Promise<ComponentType<Props>>,
  failed?: () => void,
): ComponentType<Props> | undefined {
  const [Part, setPart] = useState<ComponentType<Props>>();
  // biome-ignore lint/correctness/useExhaustiveDependencies: the function that fetches it never changes
  useEffect(() => {
    if (!isWanted) return;
    let isCurrent = true;
    inTime(fetchPart()).then(
      (part) => isCurrent && setPart(() => part),
      () => isCurrent && failed?.(),
    );
    return () => {
      isCurrent = false;
    };
  }, [isWanted]);
  return Part;
}
