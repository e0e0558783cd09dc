interface Address {
  readonly path: string;
  readonly searchParams: Readonly<Record<string, string | number>>;
}

/** The address of a request, relative to the base address of the API. */
export function addressOf({ path, searchParams }: Address): string {
  const entries = Object.entries(searchParams).map(([name, value]) => [name, String(value)]);
  const query = new URLSearchParams(entries).toString();
  return query ? `${path}?${query}` : path;
}
