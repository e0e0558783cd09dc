import type { PictureSources } from '#domain/picture.ts';

const files = import.meta.glob<string>('/src/assets/*', {
  query: '?url&no-inline',
  import: 'default',
  eager: true,
});

/** Returns the files of one picture. Throws for an unknown name, which fails the build. */
export function builtInPicture(name: string): PictureSources {
  const variantsOf = (kind: string, wanted: string) =>
    Object.entries(files)
      .map(([path, url]) => ({ url, match: /\/([a-z]+)-(\d+)\.(avif|webp)$/.exec(path) }))
      .filter(({ match }) => match?.[1] === wanted && match[3] === kind)
      .map(({ url, match }) => ({ url, width: Number(match?.[2]) }))
      .sort((a, b) => a.width - b.width);
  const fallback = variantsOf('webp', name)[0]?.url;
  if (fallback === undefined) throw new Error(`There is no picture '${name}' in src/assets.`);
  const candidates = (wanted: string): string =>
    variantsOf('avif', wanted)
      .map(({ url, width }) => `${url} ${width}w`)
      .join(', ');
  return { avif: candidates(name), phone: candidates(`${name}phone`), fallback };
}
