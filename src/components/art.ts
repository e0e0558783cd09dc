/** The URLs of the shop's own pictures (`npm run maintain -- art`), by path such as `/src/art/hero-720.avif`. */
const files = import.meta.glob<string>('/src/art/*', {
  query: '?url&no-inline',
  import: 'default',
  eager: true,
});

interface Art {
  /** AVIF candidates, narrowest first. */
  readonly avif: string;
  /** For browsers without AVIF. */
  readonly fallback: string;
}

/** The files of one picture. An unknown name fails the build. */
export function artOf(name: string): Art {
  const variants = Object.entries(files)
    .map(([path, url]) => ({ url, match: /\/([a-z]+)-(\d+)\.(avif|webp)$/.exec(path) }))
    .filter(({ match }) => match?.[1] === name)
    .map(({ url, match }) => ({ url, width: Number(match?.[2]), kind: match?.[3] }))
    .sort((a, b) => a.width - b.width);
  const fallback = variants.find(({ kind }) => kind === 'webp')?.url;
  if (fallback === undefined) throw new Error(`There is no picture '${name}' in src/art.`);
  const avif = variants.filter(({ kind }) => kind === 'avif').map(({ url, width }) => `${url} ${width}w`);
  return { avif: avif.join(', '), fallback };
}
