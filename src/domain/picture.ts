/** The attributes of an `<img>`. */
export interface Picture {
  readonly src: string;
  readonly srcset?: string;
  readonly width: number;
  readonly height: number;
}

/** The assumed size, in px, of a picture that the build has not measured. The box around it keeps the layout. */
const UNKNOWN_SIDE = 640;

/** A picture shown at the address that the server gave, without encoded variants (resolutions 20b). */
export const plainPicture = (src: string): Picture => ({ src, width: UNKNOWN_SIDE, height: UNKNOWN_SIDE });
