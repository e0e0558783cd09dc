/** The attributes of an `<img>`. */
export interface Picture {
  readonly src: string;
  readonly srcset?: string;
  readonly width: number;
  readonly height: number;
}

/** The addresses of a picture of the pages' own frame, of which phones may show a part. */
export interface Art {
  /** AVIF candidates, narrowest first. */
  readonly avif: string;
  /** The part that phones show, as AVIF candidates; '' if they show the whole picture. */
  readonly phone: string;
  /** For clients that do not choose from candidates. */
  readonly fallback: string;
}

/** The parts of the owner's picture that the home page shows, width by height. */
export const HERO_RATIO = { phone: 1011 / 900, wide: 2 } as const;

/** The assumed size, in px, of a picture that the build has not measured. The box around it keeps the layout. */
const UNKNOWN_SIDE = 640;

/** A picture shown at the address that the server gave, without encoded variants. */
export const plainPicture = (src: string): Picture => ({ src, width: UNKNOWN_SIDE, height: UNKNOWN_SIDE });
