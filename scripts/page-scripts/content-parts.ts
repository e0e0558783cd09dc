import { basename, dirname, join } from 'node:path';
import { closure } from './module-graph.ts';
import { type Place, reexports } from './place.ts';

/*
 * The parts that content pages load later are made again as one set of their own. Split together with the islands, the
 * quiet refresh was twenty files in a chain; here it is three, and what only islands need of a library is left out.
 */

/** Source of a part and its files in the assets folder, its own first. */
type Part = readonly [source: string, files: readonly string[]];

export interface ContentParts {
  readonly parts: readonly Part[];
  /** The new place of a part by its old file. */
  readonly moved: ReadonlyMap<string, Place>;
}

const OF_CONTENT = /^src\/components\//;

/** What comes right after the load, under Save-Data too. */
const FIRST = /\/(?:small|later|rolldown-runtime)\.[^/]*$/;
/** A filtered listing waits for it: it loads nothing of what asks the API. */
const DRAW = 'src/components/listing/draw.ts';

const nameOf = (source: string): string => `${basename(dirname(source))}-${basename(source, '.ts')}`;

/**
 * Bundles the parts of src/components among `parts` anew, into their folder.
 * @param single chunks that content pages carry in themselves, and of which there may be no second copy
 * @throws where a part would bring one
 */
export async function bundleContentParts(
  parts: readonly Part[],
  folder: string,
  single: ReadonlySet<string>,
): Promise<ContentParts> {
  const { rolldown } = await import('rolldown');
  const ofContent = new Map(
    parts.flatMap(([source, [file]]) =>
      OF_CONTENT.test(source) && file !== undefined ? [[basename(file), source] as const] : [],
    ),
  );
  const drawn = new Set(parts.find(([source]) => source === DRAW)?.[1].map((file) => basename(file)));
  const build = await rolldown({
    input: Object.fromEntries([...ofContent].map(([file, source]) => [nameOf(source), join(folder, file)])),
    logLevel: 'silent',
  });
  const { output } = await build.write({
    dir: folder,
    format: 'esm',
    minify: true,
    entryFileNames: '[name].[hash].js',
    chunkFileNames: '[name].[hash].js',
    codeSplitting: {
      groups: [
        { name: 'content-first', test: FIRST, priority: 1 },
        { name: 'content-cards', test: (id) => drawn.has(basename(id)), minShareCount: 2 },
        { name: 'content-api', minShareCount: 3 },
      ],
    },
  });
  await build.close();
  const chunks = output.filter((each) => each.type === 'chunk');
  for (const { fileName, moduleIds } of chunks) {
    const second = moduleIds.map((id) => basename(id)).find((name) => single.has(name));
    if (second) {
      throw new Error(
        `${fileName} would hold a second copy of the stores of ${second}. Move the module that a later part needs ` +
          'of it into another group of scripts/page-scripts/chunks.ts.',
      );
    }
  }
  const imports = new Map(chunks.map(({ fileName, imports }) => [fileName, imports]));
  const made = [...ofContent].map(([file, source]) => {
    const module = join(folder, file);
    const chunk = chunks.find(({ moduleIds }) => moduleIds.includes(module));
    if (!chunk) throw new Error(`${source} is in none of the files that content pages load later.`);
    // A part within a shared file has a file of its own that only says what its exports are called there.
    const own = chunks.find(({ facadeModuleId }) => facadeModuleId === module);
    const names = own && own !== chunk ? reexports(own.code) : {};
    return { source, file, fileName: chunk.fileName, names };
  });
  const folderOf = new Map(parts.map(([source, [file = '']]) => [source, dirname(file)]));
  const renewed = new Map<string, Part>(
    made.map(({ source, fileName }) => [
      source,
      [source, closure([fileName], { imports }).map((file) => join(folderOf.get(source) ?? '', file))],
    ]),
  );
  return {
    parts: parts.map((part) => renewed.get(part[0]) ?? part),
    moved: new Map(made.map(({ file, fileName, names }) => [file, { file: fileName, names }])),
  };
}
