import type { Inspected } from './encode.ts';

export interface Variant {
  /** The name of its file. It says all on which the bytes depend. */
  readonly name: string;
  readonly encode: (bytes: Buffer) => Promise<Buffer>;
}

/** What is made of a picture. */
export interface Recipe<Made> {
  readonly variants: (inspected: Inspected) => readonly Variant[];
  readonly made: (inspected: Inspected) => Made;
  /** What is shown of a picture that may not or cannot be fetched or read, and how the log tells it. */
  readonly otherwise: (address: string) => Made;
  readonly outcome: string;
}
