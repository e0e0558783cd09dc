import type { CartLine } from '#domain/cart.ts';

/** What a card's button keeps of its cart line, as JSON in `data-add`: the card itself says the rest. */
type Addition = readonly [price: number, image: string, size?: string, color?: string];

export function additionOf({ price, image, selectedSize, selectedColor }: CartLine): string {
  const least = [price, image] as const;
  const addition: Addition = selectedColor
    ? [...least, selectedSize, selectedColor]
    : selectedSize
      ? [...least, selectedSize]
      : least;
  return JSON.stringify(addition);
}

/** The line, one of it, that the button of a card adds. */
export function lineOf(button: HTMLElement): CartLine {
  const card = button.closest<HTMLElement>('[data-id]');
  const [price, image, selectedSize = '', selectedColor = '']: Addition = JSON.parse(
    button.dataset.add ?? '',
  );
  const name = card?.querySelector('.card-name')?.textContent ?? '';
  return { id: card?.dataset.id ?? '', name, image, price, quantity: 1, selectedSize, selectedColor };
}
