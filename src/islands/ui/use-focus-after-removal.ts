import { useEffect, useRef } from 'react';

/**
 * Focus that goes with one of `count` things goes on to the first of these elements that there is, instead of to the
 * page's start. While there is none of them yet, it waits.
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
    // Where nothing is left, what says so may be out of sight.
    if (document.activeElement === document.body) next.focus({ preventScroll: count > 0 });
  });
}
