/** A point of a picture, in per cent of its width from the left and of its height from the top. */
export interface Focus {
  readonly x: number;
  readonly y: number;
}

interface Size {
  readonly width: number;
  readonly height: number;
}

/** The largest part of that ratio (width by height) within the picture, in px, with its middle as near to the focus as it can be. */
export function cropOf({ width, height }: Size, ratio: number, { x, y }: Focus) {
  const part = {
    width: Math.max(1, Math.min(width, Math.round(height * ratio))),
    height: Math.max(1, Math.min(height, Math.round(width / ratio))),
  };
  const start = (whole: number, piece: number, percent: number): number =>
    Math.round(Math.min(Math.max(0, (percent / 100) * whole - piece / 2), whole - piece));
  return { ...part, left: start(width, part.width, x), top: start(height, part.height, y) };
}
