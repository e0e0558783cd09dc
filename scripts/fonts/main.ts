import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import subsetFont from 'subset-font';
import { addGlyph } from './add-glyph.ts';
import { ARIAL, fallbackMetrics } from './fallback.ts';
import { readSfnt, writeSfnt } from './sfnt.ts';

const RUPEE = '₹';
const ASCII = Array.from({ length: 95 }, (_, index) => String.fromCharCode(32 + index)).join('');
const TEXT = `${ASCII}\u00a0©®°²³·»«½¼¾×àáâäçèéêëíîïñóôöúüÉ–—‘’“”•…−™`;
const FEATURES = ['kern', 'ccmp', 'liga', 'tnum', 'mark', 'mkmk'];
const WEIGHTS = { min: 400, max: 800, default: 400 };

const LOCALS = {
  regular: ['Arial', 'Liberation Sans', 'Roboto'],
  bold: ['Arial Bold', 'Liberation Sans Bold', 'Roboto Bold'],
};

interface Face {
  family: string;
  file: string;
  /** The package's file of one script: `latin` or `latin-ext`. */
  source: (script: string) => string;
  weight: string;
  variable: boolean;
  fallbacks: { weight: string; like: keyof typeof ARIAL; measuredAt: number }[];
}

const FACES: Face[] = [
  {
    family: 'Figtree',
    file: 'figtree.woff2',
    source: (script) => `@fontsource-variable/figtree/files/figtree-${script}-wght-normal.woff2`,
    weight: '400 800',
    variable: true,
    fallbacks: [
      { weight: '400 500', like: 'regular', measuredAt: 400 },
      { weight: '600 800', like: 'bold', measuredAt: 700 },
    ],
  },
  {
    family: 'Bricolage',
    file: 'bricolage.woff2',
    source: (script) =>
      `@fontsource/bricolage-grotesque/files/bricolage-grotesque-${script}-700-normal.woff2`,
    weight: '700',
    variable: false,
    fallbacks: [{ weight: '700', like: 'bold', measuredAt: 700 }],
  },
];

const fontFace = (descriptors: readonly string[]): string =>
  `@font-face {\n${descriptors.map((line) => `  ${line}\n`).join('')}}\n`;

const cut = async (face: Face, script: string, text: string): Promise<Buffer> => {
  const source = await readFile(fileURLToPath(import.meta.resolve(face.source(script))));
  return subsetFont(source, text, {
    targetFormat: 'sfnt',
    keepFeatures: FEATURES,
    dropTables: ['STAT', 'gasp'],
    noHinting: true,
    ...(face.variable && { variationAxes: { wght: WEIGHTS } }),
  });
};

const build = async (face: Face): Promise<string[]> => {
  const letters = await cut(face, 'latin', TEXT);
  const rupee = await cut(face, 'latin-ext', RUPEE);
  const merged = writeSfnt(addGlyph(readSfnt(letters), readSfnt(rupee), RUPEE.charCodeAt(0)));
  const file = await subsetFont(merged, TEXT + RUPEE, { targetFormat: 'woff2' });
  await writeFile(`src/fonts/${face.file}`, file);
  console.log(`src/fonts/${face.file}  ${file.length} bytes`);

  const fallbacks = face.fallbacks.map(async ({ weight, like, measuredAt }) => {
    const instance = face.variable
      ? await subsetFont(merged, TEXT + RUPEE, { targetFormat: 'sfnt', variationAxes: { wght: measuredAt } })
      : merged;
    return fontFace([
      `font-family: '${face.family} Fallback';`,
      `font-weight: ${weight};`,
      `src: ${LOCALS[like].map((name) => `local('${name}')`).join(', ')};`,
      ...fallbackMetrics(instance, ARIAL[like]),
    ]);
  });
  const served = fontFace([
    `font-family: ${face.family};`,
    `font-weight: ${face.weight};`,
    'font-style: normal;',
    'font-display: optional;',
    `src: url('../fonts/${face.file}') format('woff2');`,
  ]);
  return [served, ...(await Promise.all(fallbacks))];
};

await mkdir('src/fonts', { recursive: true });
const rules = (await Promise.all(FACES.map(build))).flat();
const note = '/* Written by `npm run maintain -- fonts` (scripts/fonts), as are the files in src/fonts. */\n';
await writeFile('src/styles/fonts.css', [note, ...rules].join('\n'));
