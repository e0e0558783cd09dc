/** Lucide's `image-off`, on a grid of 24 by 24. */
export const IMAGE_OFF =
  'm2 2l20 20M10.41 10.41a2 2 0 1 1-2.83-2.83m5.92 5.92L6 21m12-9l3 3M3.59 3.59A2 2 0 0 0 3 5v14a2 2 0 0 0 2 2h14c.55 0 1.052-.22 1.41-.59M21 15V5a2 2 0 0 0-2-2H9';
export const NO_PICTURE_TEXT = 'Image unavailable';

const SVG = 'http://www.w3.org/2000/svg';
const SIZE = '32';

function svgElement(name: string, attributes: Readonly<Record<string, string>>): Element {
  const element = document.createElementNS(SVG, name);
  for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, value);
  return element;
}

/** Creates the markup of NoPicture.astro at run time, because few pages need it. */
export function noPicture(): HTMLElement {
  const icon = { class: 'icon', width: SIZE, height: SIZE, viewBox: '0 0 24 24', 'aria-hidden': 'true' };
  const svg = svgElement('svg', icon);
  svg.append(svgElement('path', { d: IMAGE_OFF }));
  const placeholder = document.createElement('span');
  placeholder.className = 'panel-placeholder';
  placeholder.append(svg, NO_PICTURE_TEXT);
  return placeholder;
}
