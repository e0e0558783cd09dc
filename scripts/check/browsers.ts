/**
 * `node scripts/check/browsers.ts FOLDER` finds what an oldest served browser (`browserslist` in package.json) lacks in
 * a built site's scripts, sheets and elements, by the package web-features. It allows names that the same script tests,
 * as in `x.name?.()` or `'name' in x`, what a sheet wraps in `@supports` or `:is()`, and FALLBACKS.
 */
import { globSync, readFileSync } from 'node:fs';
import { extname, join } from 'node:path';
import { type CssNode, generate, parse as parseCss, walk } from 'css-tree';
import { Parser } from 'htmlparser2';
import { parseSync, Visitor } from 'rolldown/utils';
import { features } from 'web-features';

/** What may be missing, and what an older browser does without it. */
const FALLBACKS: readonly (readonly [reason: string, ...uses: string[]])[] = [
  ['header.ts opens the menu', '#menu[popover]', 'button[popovertarget]'],
  ['the page changes at once, without a transition', '@view-transition', '@starting-style'],
  ['Tailwind writes the initial values as well', '@property'],
  [
    'lines break and end as everywhere else',
    'text-wrap',
    'text-size-adjust',
    'font-family:ui-monospace,monospace',
  ],
  [
    'nothing points at it with a mouse',
    'cursor:pointer',
    'cursor:default',
    'cursor:not-allowed',
    'cursor:progress',
  ],
  ['the browser has its own look', 'scrollbar-width', 'resize', 'forced-color-adjust'],
  ['a prefix stands before it', 'user-select'],
  ['every row is laid out', 'content-visibility', 'contain-intrinsic-size'],
  ['the name of a fact stands above it', 'grid-template-columns:subgrid'],
  [
    'what a pointer touches or a visitor chose has no tint, but its border',
    'color-mix(in srgb,currentColor 9%,transparent)',
    'color-mix(in srgb,var(--color-leaf) 12%,transparent)',
  ],
  ['panels are a little lighter in the dark', 'color-mix(in srgb,var(--color-canvas) 12%,transparent)'],
  ['the footer follows a short page at once', ':has(>.header)'],
  [
    'a notice may cover the focus',
    ':has(.offline-banner:not(:empty))',
    ':has(.toast)',
    ':has(:is(.footer,.tab-bar) :focus-visible)',
    ':has(~:is(.footer,.tab-bar) :focus-visible)',
  ],
  ['the language is in the menu of wide screens as well', ':has(>.language)'],
  ['the buttons stay in their line', ':has([role=status]:not(:empty))'],
  ['NeedsScript.astro says that the page needs JavaScript', '(scripting:none)'],
  ['pictures load in the usual order', '[fetchpriority]', '[imagesrcset]', '[imagesizes]'],
  ['a keyboard may change what is typed', '[autocapitalize]', '[autocorrect]'],
  ['the search is no landmark', '<search>'],
  ['Chrome 109 has it, with another error', 'api.AbortSignal.timeout_static'],
  [
    'only parts of React that the shop does not use call it',
    'api.Document.startViewTransition',
    'api.Navigation.currentEntry',
    'api.Navigation.navigate',
    'api.Navigator.share',
    'select[is]',
  ],
];

const { browserslist }: { browserslist: string[] } = JSON.parse(readFileSync('package.json', 'utf8'));

const SERVED = browserslist.map((text) => {
  const [name = '', version = ''] = text.replace('ios_saf', 'safari_ios').split(' >= ');
  return { name, version };
});

/** Compares '16.4' with '≤18'; a word is newer than any number. */
const isNewer = (version: string, than: string): boolean =>
  version.replace('≤', '').localeCompare(than, 'en', { numeric: true }) > 0;

/** The served browsers that lack a feature, by its key in MDN's browser-compat-data, such as `api.URL.parse_static`. */
const LACKING = new Map<string, string>();
for (const feature of Object.values(features)) {
  if (feature.kind !== 'feature') continue;
  for (const [key, { support }] of Object.entries(feature.status.by_compat_key ?? {})) {
    const versions: Readonly<Record<string, string | undefined>> = { ...support };
    const lacking = SERVED.filter(({ name, version }) => isNewer(versions[name] ?? 'never', version));
    LACKING.set(key, lacking.map(({ name, version }) => `${name} ${version}`).join(', '));
  }
}

const lacks = (key: string): boolean => (LACKING.get(key) ?? '') !== '';

/** The places of each use. */
const found = new Map<string, { readonly key: string; readonly places: Set<string> }>();

/** @param keys the possible features of the use, of which the first missing one is reported */
function report(keys: readonly string[], use: string, place: string): void {
  const key = keys.find(lacks);
  if (key === undefined) return;
  const { places } = found.get(use) ?? { places: new Set() };
  found.set(use, { key, places: places.add(place) });
}

function checkSheet(text: string, place: string): void {
  walk(parseCss(text), (node: CssNode): unknown => {
    const [use, ...keys] = usesOf(node);
    if (use !== undefined) report(keys, use, place);
    // A browser ignores an unknown rule with its content, and unknown selectors in :is().
    const ignored = node.type === 'Atrule' ? node.name === 'supports' || keys.some(lacks) : isForgiving(node);
    return ignored ? walk.skip : undefined;
  });
}

const isForgiving = (node: CssNode): boolean =>
  node.type === 'PseudoClassSelector' && /^(?:is|where)$/.test(node.name);

/** Returns how a node is written, and the keys that it may have. */
function usesOf(node: CssNode): string[] {
  switch (node.type) {
    case 'Atrule':
      return [`@${node.name}`, `css.at-rules.${node.name}`];
    case 'Feature':
      return [generate(node), `css.at-rules.media.${node.name}`];
    case 'PseudoClassSelector':
    case 'PseudoElementSelector':
      return [generate(node), `css.selectors.${node.name}`];
    case 'NestingSelector':
      return ['&', 'css.selectors.nesting'];
    case 'Declaration': {
      const key = `css.properties.${node.property}`;
      const words = node.value.type === 'Value' ? node.value.children.toArray() : [];
      const values = words.flatMap((word) => (word.type === 'Identifier' ? [`${key}.${word.name}`] : []));
      return [lacks(key) ? node.property : generate(node), key, ...values];
    }
    case 'Function':
      return [
        generate(node),
        ...['', 'color.', 'image.', 'gradient.'].map((kind) => `css.types.${kind}${node.name}`),
      ];
    case 'Dimension':
      return [node.unit, `css.types.length.${node.unit}`];
    default:
      return [];
  }
}

/** Interfaces whose members page scripts use. An object of an unknown kind may be any of these. */
const MEMBER =
  /^(?:javascript\.builtins\.\w+|api\.(?:HTML\w*|Element|Node|Document|Window|Navigator|Event|AbortSignal|URL\w*|Headers|Re(?:quest|sponse)|Blob|History|Location|ShadowRoot|Selection|CSSStyleSheet|Performance\w*))\.(\w+)$/;

const KEYS_OF_MEMBER = Map.groupBy(LACKING.keys(), (key) => MEMBER.exec(key.replace(/_static$/, ''))?.[1]);

/** The keys of a member of a global object, such as `URL.parse` or `navigator.share`. */
function keysOfGlobal(object: string, name: string): string[] {
  const isWindow = /^(?:window|globalThis|self)$/.test(object);
  const type = isWindow ? 'Window' : object.replace(/^[a-z]/, (letter) => letter.toUpperCase());
  return [
    `api.${object}.${name}_static`,
    `javascript.builtins.${object}.${name}`,
    `api.${type}.${name}`,
    ...(isWindow ? [`api.${name}`] : []),
  ].filter((key) => LACKING.has(key));
}

const reportAttribute = (element: string, name: string, use: string, place: string): void =>
  report([`html.elements.${element}.${name}`, `html.global_attributes.${name}`], use, place);

/** A text of a script that is a sheet, as `import css from './later.css?inline'` makes it. */
const isSheet = (text: string): boolean => /^\s*[^{}()"']*\{[\w-]+:[^{}]*\}/.test(text);

interface Member {
  readonly name: string;
  readonly keys: readonly string[];
  readonly place: string;
  readonly isGlobal: boolean;
}

/** Names that scripts define themselves. Without `isGlobal`, a use may be one of those. */
const ownNames = new Set<string>();
const uses: Member[] = [];

const nameOf = (node: object): string => String(Reflect.get(node, 'name') ?? Reflect.get(node, 'value'));

/** The text of a literal; a minified script has many as templates. */
function textOf(node: object | undefined): string | undefined {
  const quasis: unknown = node && Reflect.get(node, 'quasis');
  const [quasi, more]: { value: { cooked: string } }[] = Array.isArray(quasis) ? quasis : [];
  const value: unknown = quasi && !more ? quasi.value.cooked : node && Reflect.get(node, 'value');
  return typeof value === 'string' ? value : undefined;
}

/** `null`, `undefined`, or the `void 0` of a minified script. */
const isNothing = (node: { type: string }): boolean =>
  node.type === 'UnaryExpression' || /^(?:null|undefined)$/.test(nameOf(node));

function checkScript(text: string, place: string): void {
  const { program, errors } = parseSync(place, text, { sourceType: 'unambiguous' });
  if (errors[0]) throw new Error(`${place}: ${errors[0].message}`);
  const tested = new Set<string>();
  const used: Member[] = [];

  /** Notes the last name of an expression whose value is tested. */
  function test(node: object): void {
    const inner: unknown =
      Reflect.get(node, 'property') ?? Reflect.get(node, 'argument') ?? Reflect.get(node, 'expression');
    if (inner instanceof Object && !Reflect.get(node, 'computed')) test(inner);
    else tested.add(nameOf(node));
  }

  function noteGlobal(name: string): void {
    const keys = ['api', 'api.Window', 'javascript.builtins'].map((area) => `${area}.${name}`);
    used.push({ name, keys: keys.filter(lacks), place, isGlobal: false });
  }

  new Visitor({
    VariableDeclarator: ({ id }) => void ownNames.add(nameOf(id)),
    FunctionDeclaration: ({ id }) => void (id && ownNames.add(id.name)),
    ClassDeclaration: ({ id }) => void (id && ownNames.add(id.name)),
    Property: ({ key, computed }) => void (computed || ownNames.add(nameOf(key))),
    MethodDefinition: ({ key }) => void ownNames.add(nameOf(key)),
    BinaryExpression: ({ left, operator, right }) => {
      if (operator === 'in') tested.add(textOf(left) ?? '');
      if (/^[!=]==?$/.test(operator) && isNothing(right)) test(left);
    },
    UnaryExpression: ({ operator, argument }) => void (/typeof|!/.test(operator) && test(argument)),
    LogicalExpression: ({ left }) => test(left),
    ConditionalExpression: ({ test: condition }) => test(condition),
    IfStatement: ({ test: condition }) => test(condition),
    AssignmentExpression: ({ left, operator }) => void (operator.length === 3 && test(left)),
    CallExpression: ({ callee, optional, arguments: [first, second] }) => {
      if (optional) test(callee);
      if (callee.type === 'Identifier') noteGlobal(callee.name);
      const text = textOf(first);
      if (text === undefined) return;
      // React's `jsx('button', { popoverTarget: 'menu' })`.
      const properties = second?.type === 'ObjectExpression' ? second.properties : [];
      for (const property of properties) {
        const name = property.type === 'Property' ? nameOf(property.key).toLowerCase() : '';
        reportAttribute(text, name, `${text}[${name}]`, place);
      }
      if (callee.type === 'MemberExpression' && /^(?:set|toggle)Attribute$/.test(nameOf(callee.property)))
        reportAttribute('*', text, `[${text}]`, place);
    },
    MemberExpression: ({ object, property, computed, optional }) => {
      if (optional) test(object);
      if (computed) return;
      const name = nameOf(property);
      const ofGlobal = object.type === 'Identifier' ? keysOfGlobal(object.name, name) : [];
      const isGlobal = ofGlobal.length > 0;
      const keys = isGlobal ? ofGlobal : (KEYS_OF_MEMBER.get(name) ?? []);
      if (keys.every(lacks)) used.push({ name, keys, place, isGlobal });
    },
    NewExpression: ({ callee }) => noteGlobal(nameOf(callee)),
    Literal: ({ value }) => {
      if (value instanceof RegExp && value.unicodeSets)
        report(['javascript.builtins.RegExp.unicodeSets'], String(value), place);
      if (typeof value === 'string' && isSheet(value)) checkSheet(value, place);
    },
    TemplateLiteral: ({ quasis }) => {
      const value = quasis.map(({ value: { cooked } }) => cooked).join('');
      if (isSheet(value)) checkSheet(value, place);
    },
  }).visit(program);
  uses.push(...used.filter(({ name }) => !tested.has(name)));
}

type Check = (text: string, place: string) => void;

/** The scripts and sheets that pages share. */
const seen = new Set<string>();

function checkPage(text: string, place: string): void {
  let check: Check | undefined;
  let content = '';
  new Parser({
    onopentag(element, attributes) {
      const owner = attributes.id === undefined ? element : `#${attributes.id}`;
      report([`html.elements.${element}`], `<${element}>`, place);
      for (const name of Object.keys(attributes)) reportAttribute(element, name, `${owner}[${name}]`, place);
      if (attributes.style) checkSheet(`a{${attributes.style}}`, place);
      const isScript = element === 'script' && /^(?:|module)$/.test(attributes.type ?? '');
      check = element === 'style' ? checkSheet : isScript ? checkScript : undefined;
      content = '';
    },
    ontext: (part) => {
      content += part;
    },
    onclosetag() {
      if (check && !seen.has(content)) check(content, place);
      if (check) seen.add(content);
      check = undefined;
    },
  }).end(text);
}

const CHECKS: Readonly<Record<string, Check>> = {
  '.html': checkPage,
  '.js': checkScript,
  '.css': checkSheet,
};

const folder = process.argv[2] ?? 'dist';
for (const file of globSync('**/*.{html,js,css}', { cwd: folder }))
  CHECKS[extname(file)]?.(readFileSync(join(folder, file), 'utf8'), file);
for (const { name, keys, place, isGlobal } of uses)
  if (isGlobal || !ownNames.has(name)) report(keys, keys[0] ?? '', place);

const allowed = new Set(FALLBACKS.flatMap(([, ...uses]) => uses));
/** '[fetchpriority]' allows it on every element. */
const forms = (use: string): string[] => [use, use.replace(/^[^[:]+(?=\[)/, '')];
const missing = [...found].filter(([use]) => !forms(use).some((form) => allowed.has(form)));
const outdated = [...allowed].filter((use) => ![...found.keys()].flatMap(forms).includes(use));
for (const [use, { key, places }] of missing)
  console.error(`${use} (${key}) is missing in ${LACKING.get(key)}: ${[...places].slice(0, 3).join(', ')}`);
for (const use of outdated) console.error(`${use} needs no exception any more.`);
if (missing.length > 0)
  console.error('Add a fallback, then name it in FALLBACKS of scripts/check/browsers.ts.');
console.log(
  `${found.size} uses are missing in an older served browser, ${missing.length} of them without a fallback.`,
);
process.exitCode = missing.length + outdated.length === 0 ? 0 : 1;
