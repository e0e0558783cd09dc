/**
 * Returns what of a page is hidden in this window: by bars that take more than half of its height, by a bar over the focused
 * element, or beside the window. Runs in the page, so it uses nothing from outside.
 */
export async function hiddenParts(): Promise<string[]> {
  const root = document.documentElement;
  const found = root.scrollWidth > innerWidth ? [`${root.scrollWidth} px wide`] : [];
  const isBar = (element: Element | null): boolean =>
    element !== null &&
    (/fixed|sticky/.test(getComputedStyle(element).position) || isBar(element.parentElement));
  for (const share of [0, 0.25, 0.5, 0.75, 1]) {
    scrollTo({ top: share * (root.scrollHeight - innerHeight), behavior: 'instant' });
    const heights = Array.from({ length: Math.floor(innerHeight / 4) }, (_, index) => 4 * index + 2);
    const free = heights.filter((height) => !isBar(document.elementFromPoint(innerWidth / 2, height)));
    if (2 * free.length < heights.length) found.push(`bars at ${share}: ${free.length} of ${heights.length}`);
  }
  const stops = [
    ...document.querySelectorAll<HTMLElement>(
      'a[href], button, input, select, textarea, summary, [tabindex="0"]',
    ),
  ];
  const isHidden = (stop: HTMLElement): boolean => {
    const label = stop instanceof HTMLInputElement ? stop.labels?.[0] : undefined;
    const own = stop.getBoundingClientRect();
    const { left, right, top, bottom, height } =
      own.width > 1 ? own : (label ?? stop).getBoundingClientRect();
    const [first, last] = [Math.max(0, top), Math.min(innerHeight, bottom)];
    const [start, end] = [Math.max(0, left), Math.min(innerWidth, right)];
    // A part at one side is enough, as in a strip that scrolls sideways.
    const isSeen = [0.1, 0.5, 0.9].some((share) => {
      const seen = document.elementFromPoint(start + share * (end - start), (first + last) / 2);
      return seen !== null && (stop.contains(seen) || seen.contains(stop) || label?.contains(seen));
    });
    return last - first < Math.min(24, height - 1) || !isSeen;
  };
  for (const stop of [...stops, ...[...stops].reverse()]) {
    // An element that has the focus already is not scrolled into view.
    stop.blur();
    stop.focus();
    if (document.activeElement !== stop || stop.tabIndex < 0) continue;
    // WebKit scrolls to the focused element some frames later.
    for (let frame = 0; frame < 20 && isHidden(stop); frame += 1) await new Promise(requestAnimationFrame);
    if (isHidden(stop))
      found.push(
        `hidden at ${Math.round(stop.getBoundingClientRect().top)} px: ${stop.outerHTML.slice(0, 120)}`,
      );
  }
  return found;
}
