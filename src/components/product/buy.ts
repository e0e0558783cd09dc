import type { Card } from '#domain/card.ts';
import { MAX_QUANTITY, MIN_QUANTITY, QUANTITY_WRONG, toLine } from '#domain/cart.ts';
import { paths } from '#paths.ts';
import { addAndOpenCart } from '#stores/cart/cart.ts';
import { $wishlist, toggleWish } from '#stores/lists/wishlist.ts';
import { keyOf } from '#stores/shell/events.ts';
import { whenPageIdle } from '#stores/shell/page-load.ts';
import { clearNotice, NO_CONNECTION, notify } from '#stores/shell/toasts.ts';

/** Reads the product's card from its page, without `picture`. */
export function cardOf(product: HTMLElement): Card {
  const card: Card = JSON.parse(product.dataset.product ?? '{}');
  return card;
}

const KEYS: Readonly<Record<string, number>> = { ArrowUp: 1, ArrowDown: -1 };

const PLAIN_QUANTITY = /^[1-9]\d{0,3}$/;

/** Reads a typed quantity. What is more than digits needs the rules of a module that few visitors load. */
async function readTyped(text: string): Promise<{ quantity?: number | undefined; error: string }> {
  if (PLAIN_QUANTITY.test(text)) return { quantity: Number(text), error: '' };
  const reader = await import('#domain/number-input.ts').catch(() => undefined);
  const { quantity, isWrong } = reader?.readQuantity(text) ?? { quantity: undefined, isWrong: true };
  return { quantity, error: isWrong ? QUANTITY_WRONG : '' };
}

/** Returns a function that returns the typed quantity, or undefined after it has focused the field with its error. */
function enhanceStepper(stepper: Element, input: HTMLInputElement): () => Promise<number | undefined> {
  const buttons = stepper.querySelectorAll<HTMLElement>('[data-step]');
  const error = document.createElement('div');
  error.className = 'options-error';
  error.id = 'quantity-error';
  error.setAttribute('role', 'alert');
  input.setAttribute('aria-describedby', error.id);
  stepper.parentElement?.after(error);
  let last = MIN_QUANTITY;

  /** Invalid quantities stay in the field. */
  const read = async (): Promise<boolean> => {
    const text = input.value;
    const parsed = await readTyped(text);
    if (text !== input.value) return read();
    const isWrong = parsed.error !== '';
    last = parsed.quantity ?? (isWrong ? last : MIN_QUANTITY);
    error.textContent = parsed.error;
    input.setAttribute('aria-invalid', String(isWrong));
    for (const button of buttons) {
      const end = button.dataset.step === '1' ? MAX_QUANTITY : MIN_QUANTITY;
      button.toggleAttribute('aria-disabled', last === end);
      if (last === end) button.setAttribute('aria-disabled', 'true');
    }
    return !isWrong;
  };
  const set = (quantity: number): void => {
    last = Math.min(Math.max(quantity, MIN_QUANTITY), MAX_QUANTITY);
    input.value = String(last);
    void read();
  };

  for (const button of buttons) {
    button.addEventListener('click', () => set(last + Number(button.dataset.step)));
  }
  input.addEventListener('input', () => void read());
  input.addEventListener('change', async () => {
    if (await read()) set(last);
  });
  input.addEventListener('keydown', (event) => {
    const step = KEYS[keyOf(event)];
    if (step === undefined) return;
    event.preventDefault();
    set(last + step);
  });
  // A reload restores what was typed.
  void read();
  return async () => {
    if (await read()) return last;
    input.focus();
    return undefined;
  };
}

const NO_SIZE = {
  title: 'Please select a size',
  text: 'You must select a size before adding to cart',
  tone: 'error',
} as const;

function showSizeError(form: HTMLFormElement, shown: boolean): void {
  const fieldset = form.querySelector('[data-options=size]');
  fieldset?.querySelector('.options-error')?.toggleAttribute('hidden', !shown);
  if (shown) fieldset?.setAttribute('aria-describedby', 'size-error');
  else fieldset?.removeAttribute('aria-describedby');
}

function refuseWithoutSize(form: HTMLFormElement): void {
  notify(NO_SIZE);
  showSizeError(form, true);
  form.querySelector<HTMLElement>('[name=size]')?.focus();
}

function clearSizeError(form: HTMLFormElement): void {
  showSizeError(form, false);
  clearNotice(NO_SIZE);
}

async function buy(
  product: HTMLElement,
  form: HTMLFormElement,
  readPieces: () => Promise<number | undefined>,
): Promise<void> {
  const card = cardOf(product);
  const fields = new FormData(form);
  const field = (name: string): string => String(fields.get(name) ?? '');
  const [size, color] = [field('size'), field('color')];
  if (form.querySelector('[type=submit][aria-disabled]')) return;
  if (card.sizes.length > 0 && size === '') {
    refuseWithoutSize(form);
    return;
  }
  const quantity = await readPieces();
  if (quantity === undefined) return;
  addAndOpenCart(toLine(card, { size, color, quantity }), card.minPerOrder);
}

function enhanceWishButton(product: HTMLElement): void {
  const button = product.querySelector('[data-wish]');
  button?.addEventListener('click', () => {
    const card = cardOf(product);
    const isOn = toggleWish(card);
    notify({
      title: isOn ? 'Added to wishlist' : 'Removed from wishlist',
      text: card.name,
      ...(isOn ? { action: { label: 'View', href: paths.wishlist } } : {}),
    });
  });
  $wishlist.subscribe((cards) => {
    const { id } = cardOf(product);
    button?.setAttribute('aria-pressed', String(cards.some((card) => card.id === id)));
  });
}

function enhanceBuyBar(product: HTMLElement): void {
  const button = product.querySelector('.buy-add');
  const bar = product.querySelector<HTMLElement>('[data-buy-bar]');
  if (!button || !bar) return;
  new IntersectionObserver(
    ([entry]) => {
      bar.hidden = entry?.isIntersecting !== false;
    },
    { rootMargin: '-56px 0px -61px' },
  ).observe(button);
}

/** A thumbnail scrolls its picture into view without a history entry. The zoom button opens the large pictures. */
function enhanceGallery(product: HTMLElement): void {
  product.addEventListener('click', (event) => {
    const closest = (selector: string): Element | null =>
      event.target instanceof Element ? event.target.closest(selector) : null;
    const item = closest('.gallery-thumbs li');
    const strip = product.querySelector('.gallery-strip');
    if (strip && closest('[data-zoom]')) void import('./zoom.ts').then(({ openZoom }) => openZoom(strip));
    if (!item || !strip) return;
    const index = [...(item.parentElement?.children ?? [])].indexOf(item);
    event.preventDefault();
    strip.scrollTo({ left: index * strip.clientWidth });
  });
}

/** Answers for a PIN code. The code is loaded when the page is idle, or when the visitor asks. */
function enhancePlace(product: HTMLElement): void {
  const form = product.querySelector<HTMLFormElement>('[data-place]');
  if (!form) return;
  const load = () => import('./place.ts').then(({ watchPlace }) => watchPlace(form));
  form.addEventListener('submit', (event) => {
    event.preventDefault();
    load().then(
      (submit) => submit(),
      () => notify(NO_CONNECTION),
    );
  });
  whenPageIdle(() => void load().catch(() => {}));
}

export function enhanceProduct(product: HTMLElement): void {
  const form = product.querySelector('form');
  const stepper = product.querySelector('[data-stepper]');
  const input = stepper?.querySelector('input');
  const readPieces = stepper && input ? enhanceStepper(stepper, input) : async () => MIN_QUANTITY;
  form?.addEventListener('submit', (event) => {
    event.preventDefault();
    void buy(product, form, readPieces);
  });
  form?.addEventListener('change', () => clearSizeError(form));
  enhanceWishButton(product);
  enhanceBuyBar(product);
  enhanceGallery(product);
  enhancePlace(product);
}
