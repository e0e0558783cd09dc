/** The database is locked, full, read-only, broken or out of reach. The answer is a 503, because it is no bug. */
export class StorageError extends Error {
  /** SQLite's primary result code, or PostgreSQL's SQLSTATE. */
  readonly code: number | string;

  constructor(code: number | string, options: { cause: unknown }) {
    super(`The database answered with code ${code}`, options);
    this.code = code;
  }
}
