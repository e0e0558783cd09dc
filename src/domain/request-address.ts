interface Address {
  readonly path: string;
  readonly searchParams: Readonly<Record<string, string | number>>;
}

export function addressOf({ path, searchParams }: Address): string {
  const entries = Object.entries(searchParams).map(([name, value]) => [name, String(value)]);
  const query = new URLSearchParams(entries).toString();
  return query ? `${path}?${query}` : path;
}
