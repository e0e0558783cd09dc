const Native = globalThis.Response;

/**
 * A response that hands its bytes over as they are. Through a stream, as the standard has it, they cost a page as much
 * time as its markup.
 */
export class PageResponse extends Native {
  readonly #bytes: Uint8Array | undefined;

  static override [Symbol.hasInstance](value: unknown): boolean {
    return Native[Symbol.hasInstance](value);
  }

  constructor(body?: BodyInit | null, init?: ResponseInit) {
    const isPage = body instanceof Uint8Array;
    super(isPage ? null : body, init);
    this.#bytes = isPage ? body : undefined;
  }

  static override json(data: unknown, init: ResponseInit = {}): Response {
    const headers = new Headers(init.headers);
    if (!headers.has('content-type')) headers.set('content-type', 'application/json');
    return new PageResponse(Buffer.from(JSON.stringify(data)), { ...init, headers });
  }

  /** What a response holds, as bytes (latin1.ts). */
  static async latin1(response: Response): Promise<string> {
    const bytes =
      (#bytes in response ? response.#bytes : undefined) ?? new Uint8Array(await response.arrayBuffer());
    return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('latin1');
  }
}
