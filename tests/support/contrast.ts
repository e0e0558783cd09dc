import type { Locator } from 'playwright/test';

interface Colours {
  /** The element's colour that is compared. */
  readonly property: 'color' | 'outlineColor';
  /** The selector of the element itself or the nearest ancestor that has the background. */
  readonly on: string;
}

/** The WCAG contrast of each element's colour with its background. */
export const contrasts = (elements: Locator, colours: Colours): Promise<number[]> =>
  elements.evaluateAll((all, { property, on }) => {
    const canvas = new OffscreenCanvas(1, 1).getContext('2d', { willReadFrequently: true });
    const luminance = (colour: string): number => {
      if (!canvas) throw new Error('No canvas.');
      canvas.fillStyle = colour;
      canvas.fillRect(0, 0, 1, 1);
      const [red = 0, green = 0, blue = 0] = [...canvas.getImageData(0, 0, 1, 1).data].map((byte) =>
        byte <= 10 ? byte / 255 / 12.92 : ((byte / 255 + 0.055) / 1.055) ** 2.4,
      );
      return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
    };
    return all.map((element) => {
      const ground = element.closest(on);
      if (!ground) throw new Error(`Nothing fits ${on}.`);
      const [dark = 0, light = 0] = [
        luminance(getComputedStyle(element)[property]),
        luminance(getComputedStyle(ground).backgroundColor),
      ].sort((a, b) => a - b);
      return (light + 0.05) / (dark + 0.05);
    });
  }, colours);
