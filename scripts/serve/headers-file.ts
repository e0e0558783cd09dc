interface HeaderRule {
  readonly pattern: URLPattern;
  readonly headers: [name: string, value: string][];
}

/**
 * Reads a `_headers` file as Netlify and Cloudflare Pages do: a path, then indented `Name: value` lines. Lines that are
 * neither are ignored.
 */
export const parseHeaders = (text: string): HeaderRule[] => {
  const rules: HeaderRule[] = [];
  for (const line of text.split(/\r?\n/)) {
    const content = line.trim();
    if (content === '' || content.startsWith('#')) continue;
    const [, name, value] = /^\s+([\w-]+):(.*)$/.exec(line) ?? [];
    if (name) rules.at(-1)?.headers.push([name.toLowerCase(), value?.trim() ?? '']);
    else if (content.startsWith('/'))
      rules.push({ pattern: new URLPattern({ pathname: content }), headers: [] });
  }
  return rules;
};

/** The headers that the rules give a path. If several rules set a header, their values are joined by commas. */
export const headersFor = (rules: readonly HeaderRule[], pathname: string): Map<string, string> => {
  const found = new Map<string, string>();
  for (const { headers } of rules.filter(({ pattern }) => pattern.test({ pathname }))) {
    for (const [name, value] of headers) {
      const before = found.get(name);
      found.set(name, before === undefined ? value : `${before}, ${value}`);
    }
  }
  return found;
};
