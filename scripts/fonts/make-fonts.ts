import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import subsetFont from 'subset-font';
import * as CURRENCY from '#domain/currency.ts';
import { ARIAL, fallbackMetrics } from './fallback.ts';

const ASCII = Array.from({ length: 95 }, (_, index) => String.fromCharCode(32 + index)).join('');

/** The letters and the currency's sign of a family are in two files of its package. We make one file of each. */
const PARTS = [
  { script: 'latin', text: `${ASCII}\u00a0©®°²³·»«½¼¾×àáâäçèéêëíîïñóôöúüÉ–—‘’“”•…−™`, suffix: '' },
  { script: 'latin-ext', text: CURRENCY.symbol, suffix: '-rupee', range: 'U+20B9' },
] as const;
const FEATURES = ['kern', 'ccmp', 'liga', 'tnum', 'mark', 'mkmk'];
const WEIGHTS = { min: 400, max: 800, default: 400 };

const LOCALS = {
  regular: ['Arial', 'Liberation Sans', 'Roboto'],
  bold: ['Arial Bold', 'Liberation Sans Bold', 'Roboto Bold'],
};

interface Face {
  family: string;
  /** The base name of its files. */
  file: string;
  /** The path of the package's file for a script, `latin` or `latin-ext`. */
  source: (script: string) => string;
  weight: string;
  variable: boolean;
  fallbacks: { weight: string; like: keyof typeof ARIAL; measuredAt: number }[];
}

const FACES: Face[] = [
  {
    family: 'Figtree',
    file: 'figtree',
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
    file: 'bricolage',
    source: (script) =>
      `@fontsource/bricolage-grotesque/files/bricolage-grotesque-${script}-700-normal.woff2`,
    weight: '700',
    variable: false,
    fallbacks: [{ weight: '700', like: 'bold', measuredAt: 700 }],
  },
];

const fontFace = (descriptors: readonly string[]): string =>
  `@font-face {\n${descriptors.map((line) => `  ${line}\n`).join('')}}\n`;

const subset = async (
  face: Face,
  { script, text }: (typeof PARTS)[number],
  targetFormat: 'sfnt' | 'woff2',
  wght: number | typeof WEIGHTS = WEIGHTS,
): Promise<Buffer> => {
  const source = await readFile(fileURLToPath(import.meta.resolve(face.source(script))));
  return subsetFont(source, text, {
    targetFormat,
    keepFeatures: FEATURES,
    dropTables: ['STAT', 'gasp'],
    noHinting: true,
    ...(face.variable && { variationAxes: { wght } }),
  });
};

const build = async (face: Face): Promise<string[]> => {
  const webFonts = PARTS.map(async (part) => {
    const name = `${face.file}${part.suffix}.woff2`;
    const file = await subset(face, part, 'woff2');
    await writeFile(`src/fonts/${name}`, file);
    console.log(`src/fonts/${name}  ${file.length} bytes`);
    return fontFace([
      `font-family: ${face.family};`,
      `font-weight: ${face.weight};`,
      'font-style: normal;',
      'font-display: optional;',
      // Without `?no-inline`, Vite would put a file this small into every page.
      `src: url('../fonts/${name}?no-inline') format('woff2');`,
      ...('range' in part ? [`unicode-range: ${part.range};`] : []),
    ]);
  });
  const fallbacks = face.fallbacks.map(async ({ weight, like, measuredAt }) => {
    const files = await Promise.all(PARTS.map((part) => subset(face, part, 'sfnt', measuredAt)));
    return fontFace([
      `font-family: '${face.family} Fallback';`,
      `font-weight: ${weight};`,
      `src: ${LOCALS[like].map((name) => `local('${name}')`).join(', ')};`,
      ...fallbackMetrics(files, ARIAL[like]),
    ]);
  });
  return Promise.all([...webFonts, ...fallbacks]);
};

await mkdir('src/fonts', { recursive: true });
const rules = (await Promise.all(FACES.map(build))).flat();
const note = '/* Written by `npm run maintain -- fonts` (scripts/fonts), as are the files in src/fonts. */\n';
await writeFile('src/styles/fonts.css', [note, ...rules].join('\n'));
