import { CLOSE, element, icon } from '#components/markup.ts';
import { keyOf } from '#stores/shell/events.ts';
import { $toasts, dismiss, type Toast } from '#stores/shell/toasts.ts';

const SHOWN_MS = 6_000;
/** The visitor needs more time to decide and to reach the button. */
const SHOWN_WITH_ACTION_MS = 10_000;
/** Moves the focus to the newest action from anywhere in a page. */
const ACTION_KEY = 'F8';

type Timer = ReturnType<typeof setTimeout>;

const rendered = new Map<number, Element>();
const timers = new Map<number, Timer>();
let paused = false;
/** Whether the visitor last used a mouse or a finger. Keys and screen readers take longer to reach an action. */
let isPointing = false;

function pause(): void {
  paused = true;
  for (const timer of timers.values()) clearTimeout(timer);
  timers.clear();
}

/** Errors stay until they are dismissed. So do actions for visitors without a pointer (WCAG 2.2.1). */
function countDown({ id, tone, action }: Toast): void {
  if (paused || tone === 'error' || (action && !isPointing)) return;
  const shown = action ? SHOWN_WITH_ACTION_MS : SHOWN_MS;
  timers.set(
    id,
    setTimeout(() => dismiss(id), shown),
  );
}

function resume(): void {
  paused = false;
  for (const toast of $toasts.get()) if (!timers.has(toast.id)) countDown(toast);
}

function actionOf({ id, action }: Toast): Element | undefined {
  if (!action) return undefined;
  const href = 'href' in action ? action.href : undefined;
  const made = element(
    href === undefined ? 'button' : 'a',
    { class: 'toast-action', 'aria-keyshortcuts': ACTION_KEY, href },
    action.label,
    !isPointing && ' ',
    // Screen readers announce `aria-keyshortcuts`.
    !isPointing && element('kbd', { translate: 'no', 'aria-hidden': 'true' }, ACTION_KEY),
  );
  made.addEventListener('click', () => {
    dismiss(id);
    if ('run' in action) action.run();
  });
  return made;
}

const ICONS = {
  success: 'M22 12a10 10 0 1 1-20 0a10 10 0 0 1 20 0M16 9l-5.5 5.5L8 12',
  error: 'M22 12a10 10 0 1 1-20 0a10 10 0 0 1 20 0M12 8v4m0 4h.01',
};

/** Screen readers announce what is added to one of the live regions of Toasts.astro. */
function render(toast: Toast): void {
  const { id, tone = 'success', title, text = '' } = toast;
  const close = element(
    'button',
    { class: 'toast-close', type: 'button', 'aria-label': 'Dismiss' },
    icon(element, CLOSE, 20),
  );
  close.addEventListener('click', () => dismiss(id));
  const notice = element(
    'div',
    { class: `toast toast-${tone}` },
    icon(element, ICONS[tone], 22),
    element(
      'p',
      { class: 'toast-words' },
      element('strong', {}, title),
      text !== '' && element('span', {}, text),
    ),
    actionOf(toast),
    close,
  );
  document.querySelector(`[data-tone=${tone}]`)?.append(notice);
  rendered.set(id, notice);
  countDown(toast);
}

/** In px, as between two notices. */
const GAP = 12;

/** Keeps the notices above the bar of the cart or product, which sticks to the bottom only while its place is below. */
function followBar(region: HTMLElement): () => void {
  const findBar = (): Element | null => document.querySelector('[data-cart-bar], [data-buy-bar]');
  const place = (): void => {
    const bar = findBar();
    if (!bar || rendered.size === 0) return;
    region.style.marginBottom = '';
    const notices = region.getBoundingClientRect();
    const { top, bottom } = bar.getBoundingClientRect();
    const covered = bottom > notices.top && top < notices.bottom + GAP;
    if (covered) region.style.marginBottom = `${notices.bottom + GAP - top}px`;
  };
  const observer = new ResizeObserver(place);
  for (const event of ['scroll', 'resize']) addEventListener(event, place, { passive: true });
  return () => {
    const bar = findBar();
    if (bar) observer.observe(bar);
    place();
  };
}

function remove(id: number, element: Element): void {
  const hadFocus = element.contains(document.activeElement);
  element.remove();
  rendered.delete(id);
  clearTimeout(timers.get(id));
  timers.delete(id);
  // A removed element sends no leave event.
  if (hadFocus || rendered.size === 0) resume();
  if (hadFocus) document.querySelector<HTMLElement>('#main')?.focus({ preventScroll: true });
}

function notePointer({ type }: Event): void {
  if (isPointing === (type === 'pointerdown')) return;
  isPointing = !isPointing;
  if (paused) return;
  pause();
  resume();
}

export function renderToasts(): void {
  const region = document.querySelector<HTMLElement>('[data-toasts]');
  if (!region) return;
  const placeAboveBar = followBar(region);
  const renderNew = (): void => {
    for (const toast of $toasts.get()) if (!rendered.has(toast.id)) render(toast);
    placeAboveBar();
  };
  for (const event of ['pointerenter', 'focusin']) region.addEventListener(event, pause);
  for (const event of ['pointerleave', 'focusout']) region.addEventListener(event, resume);
  for (const event of ['pointerdown', 'keydown']) addEventListener(event, notePointer, true);
  addEventListener('keydown', (event) => {
    if (keyOf(event) !== ACTION_KEY) return;
    const action = [...region.querySelectorAll<HTMLElement>('.toast-action')].at(-1);
    if (action) event.preventDefault();
    action?.focus();
  });
  $toasts.subscribe((toasts) => {
    const ids = new Set(toasts.map(({ id }) => id));
    for (const [id, element] of rendered) if (!ids.has(id)) remove(id, element);
    // After the next frame, so that the page first paints its response to a tap.
    requestAnimationFrame(() => setTimeout(renderNew));
  });
}
